import { type DocumentProblem, type Json, toPointer } from '../../../foundation/kernel/index.ts'
import type { ParameterDeclaration } from '../schema.ts'
import type { SecurityScheme } from '../types.ts'
import { getField, getFields, shown } from './pointers.ts'

export type ReadSecurity = {
  readonly schemes: readonly SecurityScheme[]
  readonly problems: readonly DocumentProblem[]
}

type SchemeOptions = {
  readonly key: string
  readonly scheme: Json
  readonly parameters: readonly Pick<ParameterDeclaration, 'name' | 'secret'>[]
  readonly prefixes: readonly string[]
}

/**
 * Reads `securityDefinitions`: `basic`, and `apiKey` in a header or the query. All that are defined
 * are sent with every call. Which parameter has a value is what `<prefix>from`,
 * `<prefix>user-field` and `<prefix>secret-field` say, else the parameter of that name, else the
 * only secret one.
 */
export function readSecurity(
  document: Json,
  parameters: SchemeOptions['parameters'],
  prefixes: readonly string[],
): ReadSecurity {
  const schemes: SecurityScheme[] = []
  const problems: DocumentProblem[] = []
  for (const [key, scheme] of getFields(getField(document, 'securityDefinitions'))) {
    const read = readScheme({ key, scheme, parameters, prefixes })
    if ('field' in read) {
      const detail = `it is ${shown(getField(scheme, read.field))}, not ${read.rule}`
      problems.push({ pointer: toPointer('securityDefinitions', key, read.field), detail })
    } else schemes.push(read)
  }
  return { schemes, problems }
}

function readScheme(options: SchemeOptions): SecurityScheme | { field: string; rule: string } {
  const { scheme } = options
  const type = getField(scheme, 'type')
  if (type === 'basic') return makeBasic(options)
  if (type !== 'apiKey') return { field: 'type', rule: 'basic or apiKey' }
  const place = getField(scheme, 'in')
  if (place !== 'header' && place !== 'query') return { field: 'in', rule: 'header or query' }
  const name = getField(scheme, 'name')
  if (!isName(name, place)) return { field: 'name', rule: `the name of a ${place}` }
  const prefix = extension(options, 'prefix')
  const from = extension(options, 'from') ?? parameterFor(options, [name, options.key]) ?? name
  return { type, in: place, name, from, prefix: prefix ?? '' }
}

/** Headers that the connection and the body have of their own. */
const ownHeaders = /^(?:host|connection|content-.*|transfer-encoding|te|upgrade|expect)$/i

function isName(name: Json | undefined, place: 'header' | 'query'): name is string {
  if (typeof name !== 'string') return false
  if (place === 'query') return name !== ''
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !ownHeaders.test(name)
}

function makeBasic(options: SchemeOptions): SecurityScheme {
  const user = extension(options, 'user-field') ?? named(options, ['username', 'user', 'login'])
  const password = extension(options, 'secret-field') ?? parameterFor(options, ['password', 'pass'])
  return { type: 'basic', user: user ?? 'username', password: password ?? 'password' }
}

/** A text of the platform's own, such as `x-vendor-from`. */
function extension({ scheme, prefixes }: SchemeOptions, name: string): string | undefined {
  const values = [...prefixes, 'x-'].map((prefix) => getField(scheme, `${prefix}${name}`))
  return values.find((value): value is string => typeof value === 'string' && value !== '')
}

function named({ parameters }: SchemeOptions, wanted: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[-_ ]/g, '')
  const names = wanted.map(plain)
  return parameters.find(({ name }) => names.includes(plain(name)))?.name
}

/** The parameter of one of these names, else the only secret one. */
function parameterFor(options: SchemeOptions, names: readonly string[]): string | undefined {
  const [only, ...others] = options.parameters.filter(({ secret }) => secret)
  return named(options, names) ?? (others.length === 0 ? only?.name : undefined)
}
