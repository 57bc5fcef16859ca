import { limits } from '../../../foundation/kernel/index.ts'
import type { SyntaxProblem } from './program.ts'
import type { ScriptText } from './script.ts'

/** The longest period of a `--#RATELIMIT`. */
const endpointRateSecondsMax = 24 * 3_600

/** The credential that a caller of the endpoint must have. */
export type EndpointSecurity = 'none' | 'basic' | 'bearer' | 'apiKey'

/** A script that answers requests, or a websocket's messages, as its head's lines describe it. */
export type Endpoint = {
  /** The global function: `GET /pumps/{id}`. */
  readonly name: string
  readonly method: string
  /** `/pumps/{id}`; a last `{rest*}` takes all that follows. */
  readonly path: string
  /** The answer's, unless the script sets another. */
  readonly contentType: string | undefined
  /** Undefined if no line says it: then the settings of the solution do. */
  readonly security: EndpointSecurity | undefined
  /** True if the platform checks the credential; else the script checks one that is there. */
  readonly isChecked: boolean
  /** The most requests of one caller within that time: of a credential, else of an address. */
  readonly rate: { readonly requests: number; readonly seconds: number } | undefined
  readonly about: EndpointAbout
}

/** The header lines by which an endpoint describes itself to its callers. */
export type EndpointAbout = {
  readonly tags: readonly string[]
  readonly summary?: string
  readonly description?: string
}

const line = /^--#(ENDPOINT|SECURITY|RATELIMIT|TAGS|SUMMARY|DESCRIPTION)\b(.*)$/gm
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\w.+-]+=[\w.+-]+)*$/
const securities: readonly string[] = ['none', 'basic', 'bearer', 'apiKey']

/** Returns whether the endpoint of that name takes websockets. */
export function isWebsocket(name: string): boolean {
  return name.startsWith('WEBSOCKET ')
}

/** Reads an endpoint from the name of its script and the header lines in it. */
export function readEndpoint(script: Pick<ScriptText, 'name' | 'file' | 'source'>) {
  const space = script.name.indexOf(' ')
  const method = script.name.slice(0, space)
  const path = script.name.slice(space + 1)
  const found = readEndpointLines(script.file, script.source)
  const { problems, ...rest } = found
  const endpoint: Endpoint = { name: script.name, method, path, ...rest }
  return { endpoint, problems }
}

type Found = {
  contentType: string | undefined
  security: EndpointSecurity | undefined
  isChecked: boolean
  rate: Endpoint['rate']
  about: EndpointAbout
  readonly problems: SyntaxProblem[]
}

/** If several lines have one kind, the last counts. */
export function readEndpointLines(file: string, text: string): Found {
  const found: Found = {
    contentType: undefined,
    security: undefined,
    isChecked: false,
    rate: undefined,
    about: { tags: [] },
    problems: [],
  }
  for (const { 1: word = '', 2: rest = '', index } of text.matchAll(line)) {
    const words = rest.split(/[ \t\r]+/).filter((one) => one !== '')
    const problem = takeAbout(found, word, rest.trim()) ?? takeLine(found, word, words)
    if (problem === undefined || problem === 'taken') continue
    found.problems.push({ file, line: text.slice(0, index).split('\n').length, message: problem })
    if (found.problems.length > limits.complaintsMax) break
  }
  return found
}

/** Lines for the callers of an endpoint, which may hold any text. */
function takeAbout(found: Found, word: string, text: string): 'taken' | undefined {
  const { about } = found
  const shown = text.slice(0, limits.descriptionCharsMax)
  if (word === 'TAGS') {
    const tags = shown.split(/[\s,]+/).filter((one) => one !== '')
    found.about = { ...about, tags: tags.slice(0, limits.interfaceTagsMax) }
  } else if (word === 'SUMMARY') found.about = { ...about, summary: shown }
  else if (word === 'DESCRIPTION') found.about = { ...about, description: shown }
  else return undefined
  return 'taken'
}

function takeLine(found: Found, word: string, words: readonly string[]): string | undefined {
  const [first = '', second = '', third] = words
  if (word === 'ENDPOINT') {
    found.contentType = third
    const isType = third === undefined || mediaType.test(third)
    return isType ? undefined : `${third} is not a content type such as text/html.`
  }
  if (word === 'SECURITY') {
    const isPlatform = second === 'platform' && first !== 'none'
    if (words.length !== (isPlatform ? 2 : 1) || !securities.includes(first)) return securityRule
    found.security = first as EndpointSecurity
    found.isChecked = isPlatform
    return undefined
  }
  const [requests, seconds] = [Number(first || Number.NaN), Number(second || secondsPerMinute)]
  const rate = { requests, seconds }
  if (words.length > 2 || !isRate(rate)) return rateRule
  found.rate = rate
  return undefined
}

const secondsPerMinute = 60
const securityRule = `The header is --#SECURITY ${securities.join('|')} [platform].`
const rateRule =
  `The header is --#RATELIMIT <n> [seconds], with 1 to ${limits.endpointRateMax} requests in ` +
  `1 to ${endpointRateSecondsMax} seconds.`

function isRate({ requests, seconds }: NonNullable<Endpoint['rate']>): boolean {
  const { endpointRateMax } = limits
  return isWhole(requests, endpointRateMax) && isWhole(seconds, endpointRateSecondsMax)
}

function isWhole(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max
}
