import { scriptingLimits } from '../limits.ts'
import type { ScriptKey } from '../schema.ts'
import { readEndpointLines } from './endpoint.ts'
import type { SyntaxProblem } from './program.ts'
import { isModuleName, kindOfName, type RetryPolicy, type ScriptText } from './script.ts'

/** A line such as `--#EVENT device2 event`, which names the script that follows. */
type Header = { readonly key: ScriptKey; readonly line: number; readonly at: number }

export type Split = {
  readonly scripts: readonly ScriptText[]
  readonly problems: readonly SyntaxProblem[]
  /** Sentences about headers with a meaning that may surprise. */
  readonly notes: readonly string[]
}

const headerLine = /^--#(EVENT|ENDPOINT)\b(.*)$/gm
const retryLine = /^--#RETRY\b(.*)$/gm
const definition = /^[ \t]*(?:function[ \t]+(handle_\w+)[ \t]*\(|(handle_\w+)[ \t]*=)/gm

/**
 * The scripts of a file: one for each header, from its line on; what stands before the first
 * belongs to it. Without a header the file's name says what it is: where a project puts its parts
 * elsewhere, the name that it would have without one.
 */
export function splitFile(file: string, text: string, standardPath = file): Split {
  const { headers, problems: odd, notes } = readHeaders(file, text, standardPath)
  const problems = [
    ...odd,
    ...readRetry(file, text).problems,
    ...readEndpointLines(file, text).problems,
  ]
  if (presence.test(text)) notes.push(presenceNote)
  const [first, ...others] = headers
  if (first === undefined) {
    const key = keyOfFile(file, standardPath, text, notes)
    return { scripts: [{ ...key, file, firstLine: 1, source: text }], problems, notes }
  }
  const starts = [{ ...first, line: 1, at: 0 }, ...others]
  const scripts = starts.map(({ key, line, at }, index) => {
    return { ...key, file, firstLine: line, source: text.slice(at, starts[index + 1]?.at) }
  })
  return { scripts, problems, notes }
}

/** Reads the headers of a text. The path says of which service an event is that has no service. */
export function readHeaders(file: string, text: string, standardPath = file) {
  const headers: Header[] = []
  const problems: SyntaxProblem[] = []
  const notes: string[] = []
  const lineAt = lineCounter(text)
  for (const match of text.matchAll(headerLine)) {
    const line = lineAt(match.index)
    const [, word = '', rest = ''] = match
    const key = word === 'EVENT' ? eventKey(rest, standardPath, notes) : endpointKey(rest)
    if (key === undefined) problems.push({ file, line, message: headerRules[word] ?? '' })
    else headers.push({ key, line, at: match.index })
  }
  return { headers, problems, notes }
}

/** A line that leaves the check of a credential to its script. */
const presence = /^--#SECURITY[ \t]+(?:basic|bearer|apiKey)[ \t\r]*$/m
const presenceNote =
  '--#SECURITY demands that a credential is there, and the script checks it; ' +
  'with the word platform behind it the platform does'

const headerRules: Readonly<Record<string, string>> = {
  EVENT: 'The header is --#EVENT [service] <event>; without a service it is that of the file.',
  ENDPOINT: 'The header is --#ENDPOINT <METHOD>|WEBSOCKET /path [content type].',
}

/** Reads a script's retry policy for its deliveries that fail. The last line counts. */
export function readRetry(file: string, text: string) {
  const problems: SyntaxProblem[] = []
  let retry: RetryPolicy | undefined
  const lineAt = lineCounter(text)
  for (const match of text.matchAll(retryLine)) {
    const [retries = '', seconds = '1', ...more] = splitWords(match[1] ?? '')
    const policy = { retries: Number(retries || Number.NaN), seconds: Number(seconds) }
    if (more.length === 0 && isPolicy(policy)) retry = policy
    else problems.push({ file, line: lineAt(match.index), message: retryRule })
  }
  return { retry, problems }
}

const retryRule =
  `The header is --#RETRY <n> [seconds], with up to ${scriptingLimits.scriptRetriesMax} tries, ` +
  `1 to ${scriptingLimits.scriptRetrySecondsMax} seconds apart.`

function isPolicy({ retries, seconds }: RetryPolicy): boolean {
  const { scriptRetriesMax, scriptRetrySecondsMax } = scriptingLimits
  return (
    Number.isInteger(retries) &&
    Number.isInteger(seconds) &&
    retries >= 0 &&
    retries <= scriptRetriesMax &&
    seconds >= 1 &&
    seconds <= scriptRetrySecondsMax
  )
}

/** Functions for events that a text defines itself, as far as its lines show. */
export function definedHandlers(text: string): ReadonlySet<string> {
  const names = [...text.matchAll(definition)].map((match) => match[1] ?? match[2] ?? '')
  return new Set(names)
}

/** A file that defines handlers of other names is a plain script. */
function keyOfFile(file: string, path: string, text: string, notes: string[]): ScriptKey {
  const [, module] = /^modules\/(.+)\.lua$/.exec(path) ?? []
  if (module !== undefined) {
    const name = module.replaceAll('/', '.')
    if (isModuleName(name)) return { kind: 'module', name }
    notes.push('require takes no such name: the file is run when the solution starts')
    return { kind: 'plain', name: file }
  }
  const [, service, event] = /^services\/([a-zA-Z0-9_]+)\/([a-zA-Z0-9]+)\.lua$/.exec(path) ?? []
  const base = path.slice(path.lastIndexOf('/') + 1, -'.lua'.length)
  const name = service === undefined ? base : `${service}_${event}`
  const defined = definedHandlers(text)
  const isHandler = /^[a-zA-Z0-9_]+_[a-zA-Z0-9]+$/.test(name)
  if (isHandler && (defined.size === 0 || defined.has(`handle_${name}`))) {
    return { kind: 'handler', name }
  }
  return { kind: 'plain', name: file }
}

/**
 * `<service> <event>`; without a service it is that of the file. A service in braces is a script
 * key that the solution may get later.
 */
function eventKey(rest: string, path: string, notes: string[]): ScriptKey | undefined {
  const words = splitWords(rest)
  const [first = '', second, ...more] = words
  const [, placeholder] = /^\{([\w.-]+)\}$/.exec(first) ?? []
  const key = placeholder?.replaceAll(/\W/g, '') ?? first
  const service = second === undefined ? serviceOfFile(path) : key
  const event = second ?? first
  if (service === undefined || first === '' || more.length > 0) return undefined
  if (second !== undefined && placeholder !== undefined) {
    notes.push(`the handler of ${first} runs once a service has the script key ${key}`)
  }
  return keyOfName('handler', `${service}_${event}`)
}

/** `services/<service>/….lua`, `services/<service>.lua` or `<service>_<event>.lua`. */
function serviceOfFile(path: string): string | undefined {
  const [, folder, file] = /^services\/(?:(\w+)\/[^/]+|([^/_]+))\.lua$/.exec(path) ?? []
  const base = path.slice(path.lastIndexOf('/') + 1, -'.lua'.length)
  const [, service] = /^(\w+)_[a-zA-Z0-9]+$/.exec(base) ?? []
  return folder ?? file ?? service
}

function endpointKey(rest: string): ScriptKey | undefined {
  const [method = '', path = '', ...more] = splitWords(rest)
  if (method === '' || path === '' || more.length > 1) return undefined
  return keyOfName('endpoint', `${method.toUpperCase()} ${path}`)
}

function keyOfName(kind: ScriptKey['kind'], name: string): ScriptKey | undefined {
  try {
    return kindOfName(name) === kind ? { kind, name } : undefined
  } catch {
    return undefined
  }
}

function splitWords(text: string): string[] {
  return text.split(/[ \t\r]+/).filter((word) => word !== '')
}

/** Counts on from the place of the call before: a text of many headers is read once. */
function lineCounter(text: string): (at: number) => number {
  let line = 1
  let counted = 0
  return (at) => {
    for (let next = text.indexOf('\n', counted); next !== -1 && next < at; ) {
      line += 1
      counted = next + 1
      next = text.indexOf('\n', counted)
    }
    return line
  }
}
