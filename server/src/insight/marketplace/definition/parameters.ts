import {
  type DocumentProblem,
  isJsonObject,
  type Json,
  limits,
  toPointer,
} from '../../../foundation/kernel/index.ts'
import { marketplaceLimits } from '../limits.ts'
import { type ParameterDeclaration, parameterTypes } from '../schema.ts'
import type { SecurityScheme } from '../types.ts'
import { getField, getFields, getItems, shown } from './pointers.ts'

export type ReadParameters = {
  readonly parameters: readonly ParameterDeclaration[]
  /** Names of those that people may not see. */
  readonly hidden: ReadonlySet<string>
  readonly problems: readonly DocumentProblem[]
}

type FieldRule = readonly [
  field: string,
  rule: string,
  isRight: (value: Json | undefined) => boolean,
]

const isText = (value: Json | undefined) => typeof value === 'string' && value !== ''
const isOptionalText = (value: Json | undefined) => value === undefined || isText(value)

/** The fields of an entry, as the specification lists them. */
const fieldRules: readonly FieldRule[] = [
  ['name', 'a text', isText],
  ['description', 'a text', isText],
  [
    'type',
    `one of ${parameterTypes.join(', ')}`,
    (value) => parameterTypes.some((type) => type === value),
  ],
  ['format', 'a text, such as password', isOptionalText],
  ['required', 'a boolean', (value) => value === undefined || typeof value === 'boolean'],
]

/** A list of parameters in a document, with the place where it is. */
type ParameterList = { readonly at: string; readonly list: Json }

/**
 * Reads `info.<prefix>config-parameters`, and the same at the top of the file, where the field has
 * them. Parameters that cannot be used are left out, and so are those that people may not see.
 */
export function readParameters(document: Json, prefixes: readonly string[]): ReadParameters {
  const keys = prefixes.map((prefix) => `${prefix}config-parameters`)
  const lists = keys.flatMap((key) => [
    ...listAt(getField(document, 'info'), key, toPointer('info', key)),
    ...listAt(document, key, toPointer(key)),
  ])
  const problems: DocumentProblem[] = []
  const parameters = new Map<string, ParameterDeclaration>()
  const hidden = new Set<string>()
  for (const { at, list } of lists) {
    if (!Array.isArray(list)) problems.push({ pointer: at, detail: 'it is not a list' })
    if (getItems(list).length > marketplaceLimits.moduleParametersMax) {
      const detail = `it has more than ${marketplaceLimits.moduleParametersMax} parameters`
      problems.push({ pointer: at, detail })
    }
    for (const [index, entry] of getItems(list)
      .slice(0, marketplaceLimits.moduleParametersMax)
      .entries()) {
      const found = entryProblems(entry, `${at}/${index}`)
      const read = parseDeclaration(entry)
      if (read !== undefined && parameters.has(read.name)) {
        found.push({ pointer: `${at}/${index}/name`, detail: `${shown(read.name)} occurs twice` })
      }
      const isHidden = prefixes.some((prefix) => getField(entry, `${prefix}restricted`) === true)
      if (read !== undefined && isHidden) hidden.add(read.name)
      else if (read !== undefined) parameters.set(read.name, read)
      problems.push(...found)
    }
  }
  return { parameters: [...parameters.values()], hidden, problems }
}

function listAt(value: Json | undefined, key: string, at: string): ParameterList[] {
  const list = getField(value, key)
  return list === undefined ? [] : [{ at, list }]
}

function entryProblems(entry: Json, at: string): DocumentProblem[] {
  if (!isJsonObject(entry)) return [{ pointer: at, detail: 'it is not an object' }]
  return fieldRules.flatMap(([field, rule, isRight]) => {
    const value = getField(entry, field)
    if (isRight(value)) return []
    return [{ pointer: `${at}/${field}`, detail: `it is ${shown(value)}, not ${rule}` }]
  })
}

function parseDeclaration(entry: Json): ParameterDeclaration | undefined {
  const { name, description, type, format, required } = Object.fromEntries(getFields(entry))
  if (typeof name !== 'string' || name === '' || name.length > limits.nameCharsMax) return undefined
  return {
    name,
    description: typeof description === 'string' ? description : '',
    type: parameterTypes.find((known) => known === type) ?? 'string',
    secret: format === 'password',
    required: required === true,
  }
}

/**
 * The declared parameters, and those that the credentials need and the file does not declare. A
 * hidden parameter stays hidden: nobody could give it.
 */
export function withCredentials(
  declared: readonly ParameterDeclaration[],
  schemes: readonly SecurityScheme[],
  hidden: ReadonlySet<string>,
): ParameterDeclaration[] {
  const names = new Set([...declared.map(({ name }) => name), ...hidden])
  const needed = schemes.flatMap((scheme): ParameterDeclaration[] => {
    const base = { type: 'string', required: true } as const
    const key = { ...base, secret: true }
    if (scheme.type === 'apiKey') return [{ ...key, name: scheme.from, description: 'API key' }]
    const user = { ...base, secret: false, name: scheme.user, description: 'User name' }
    return [user, { ...key, name: scheme.password, description: 'Password' }]
  })
  return [...declared, ...needed.filter(({ name }) => !names.has(name))]
}
