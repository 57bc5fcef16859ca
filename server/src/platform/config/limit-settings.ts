import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  brokenRelations,
  fixedReasons,
  formatLimit,
  type LimitName,
  type LimitValues,
  limitDefinitions,
  limitForm,
  limits,
  limitUnit,
  limitVariable,
  parseLimit,
} from '../../foundation/kernel/index.ts'

/** The setting that names a file of limits. */
export const limitsFileSetting = 'MILLRACE_LIMITS'

const prefix = 'MILLRACE_LIMIT_'

/** A value that an operator set, before it is checked. */
type Given = {
  /** Its place, for a sentence: the variable, or the file with its line and the name. */
  readonly place: string
  readonly name: LimitName
  readonly text: string
}

type Read = { readonly given: readonly Given[]; readonly faults: readonly string[] }

const names = Object.keys(limitDefinitions) as LimitName[]
const settableNames = names.filter((name) => limitDefinitions[name].kind === 'settable')
const namesByVariable = new Map(names.map((name) => [limitVariable(name), name]))

/**
 * Reads the limits that the environment sets, by its variables or by the file that it names; a
 * variable overrides the file. Relative paths start at `folder`.
 * @throws Error with a sentence for each fault.
 */
export function readLimits(environment: NodeJS.ProcessEnv, folder: string): LimitValues {
  const file = readLimitsFile(environment[limitsFileSetting]?.trim() ?? '', folder)
  const variables = readVariables(environment)
  const faults = [...file.faults, ...variables.faults]
  const values: Partial<Record<LimitName, number>> = {}
  for (const given of [...file.given, ...variables.given]) {
    const value = checkValue(given)
    if (typeof value === 'string') faults.push(value)
    else values[given.name] = value
  }
  faults.push(...brokenRelations(values))
  if (faults.length === 0) return values
  throw new Error(`limits cannot be set so:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
}

function readVariables(environment: NodeJS.ProcessEnv): Read {
  const given: Given[] = []
  const faults: string[] = []
  for (const [variable, text = ''] of Object.entries(environment)) {
    if (!variable.startsWith(prefix) || text.trim() === '') continue
    const name = namesByVariable.get(variable)
    if (name !== undefined) given.push({ place: variable, name, text: text.trim() })
    else faults.push(unknownName(variable, variable, settableNames.map(limitVariable)))
  }
  return { given, faults }
}

/** Reads a file with one `name: value` on a line; `#` begins a comment. */
function readLimitsFile(path: string, folder: string): Read {
  if (path === '') return { given: [], faults: [] }
  let text: string
  try {
    text = readFileSync(resolve(folder, path), 'utf8')
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code
    return { given: [], faults: [`${limitsFileSetting} is "${path}"; it cannot be read (${why})`] }
  }
  const given: Given[] = []
  const faults: string[] = []
  for (const [at, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.replace(/#.*/, '').trim()
    if (line === '') continue
    const place = `${path}:${at + 1}`
    const one = readLine(line, place, given)
    if (typeof one === 'string') faults.push(one)
    else given.push(one)
  }
  return { given, faults }
}

/** @returns the value, or a sentence about the line. */
function readLine(line: string, place: string, before: readonly Given[]): Given | string {
  const match = /^(\w+)\s*:\s*(\S.*)$/.exec(line)
  if (match === null) return `${place}: "${line}" should be a name, a colon and a value`
  const [, word = '', text = ''] = match
  const name = names.find((one) => one === word)
  if (name === undefined) return unknownName(`${place}: ${word}`, word, settableNames)
  if (before.some((one) => one.name === name)) return `${place}: ${name} is set twice`
  return { place: `${place}: ${name}`, name, text }
}

function unknownName(place: string, word: string, known: readonly string[]): string {
  const nearest = nearestName(word, known)
  return `${place} cannot be set: it is no limit of an operator; the nearest is ${nearest}`
}

/** @returns the value, or a sentence about it. */
function checkValue({ place, name, text }: Given): number | string {
  const definition = limitDefinitions[name]
  if (definition.kind !== 'settable') {
    return `${place} cannot be set: ${fixedReasons[definition.kind]}`
  }
  const value = parseLimit(name, text)
  if (value === undefined) return `${place} is "${text}"; it should be ${limitForm(name)}`
  const { lowest, highest } = definition
  if (value < lowest)
    return `${place} is ${text}; it should be at least ${formatLimit(name, lowest)}`
  if (value > highest)
    return `${place} is ${text}; it should be at most ${formatLimit(name, highest)}`
  return value
}

/** The settable limits as lines of a template: those that are set are no comments. */
export function limitsTemplate(): string {
  const blocks = names.flatMap((name) => {
    const definition = limitDefinitions[name]
    if (definition.kind !== 'settable') return []
    const { value, lowest, highest } = definition
    const [preset, from, to] = [value, lowest, highest].map((one) => formatLimit(name, one))
    const isSet = limits[name] !== value
    const range = `# ${name}: ${limitUnit(name)}, ${from} to ${to}; default ${preset}`
    const line = `${limitVariable(name)}=${formatLimit(name, limits[name])}`
    return [`${range}${isSet ? ' (set)' : ''}\n${isSet ? '' : '#'}${line}\n`]
  })
  return `# Limits; docs/reference/limits.md explains them.\n${blocks.join('')}`
}

/** The number of letters to insert, remove or replace that make one word of the other. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [column, match] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === match ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/** The known name that is most like a word. */
function nearestName(word: string, known: readonly string[]): string {
  const letters = word.toLowerCase()
  const distances = known.map((name) => [editDistance(letters, name.toLowerCase()), name] as const)
  return distances.reduce((best, one) => (one[0] < best[0] ? one : best))[1]
}
