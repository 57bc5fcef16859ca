import type { Json, JsonObject } from '../../../foundation/kernel/index.ts'
import { marketplaceLimits } from '../limits.ts'
import type { ParameterDeclaration } from '../schema.ts'
import type { DeclaredOperation, FilledParameter, ModuleOperation, Operations } from '../types.ts'
import { getField, getFields, getItems, valueAt } from './pointers.ts'

/** The operations of a module that has no definition. */
export const defaultOperations = {
  info: { method: 'GET', path: '/info' },
  insights: { method: 'POST', path: '/insights' },
  insight: { method: 'GET', path: '/insight/{function_id}' },
  lifecycle: { method: 'POST', path: '/lifecycle' },
  process: { method: 'POST', path: '/process' },
} as const satisfies Operations

type ProtocolOperation = keyof typeof defaultOperations

const operationIds: Readonly<Record<ProtocolOperation, readonly string[]>> = {
  info: ['info'],
  insights: ['listInsights', 'insights'],
  insight: ['insight', 'infoInsight'],
  lifecycle: ['lifecycle'],
  process: ['process'],
}

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** An operation in a file, with its object and that of its path. */
type Found = DeclaredOperation & {
  readonly id: string
  readonly lastSegment: string | undefined
  readonly objects: readonly [item: Json, operation: Json]
}

/** A field of a path of a document, which is an operation if its name is a method. */
export type PathField = {
  readonly path: string
  readonly item: Json
  readonly name: string
  readonly operation: Json
}

/** The fields of all paths. A file may have thousands: they are listed once. */
export function pathFields(document: JsonObject): PathField[] {
  const listed: PathField[] = []
  for (const [path, item] of getFields(document.paths)) {
    for (const [name, operation] of getFields(item)) listed.push({ path, item, name, operation })
  }
  return listed
}

export type ReadOperationsOptions = {
  readonly document: JsonObject
  readonly listed: readonly PathField[]
  readonly parameters: readonly ParameterDeclaration[]
  /** The prefixes of extension fields, such as `x-vendor-`. */
  readonly prefixes: readonly string[]
}

/**
 * Returns the operations of a module that a definition declares: by operation id, else by the
 * path's last segment; `init` and `gc` by the ids that the file names. Pure.
 */
export function declaredOperations(options: ReadOperationsOptions): Partial<Operations> {
  const { document, listed, prefixes } = options
  const found = listed.flatMap(findOperation)
  const known = Object.keys(operationIds) as ProtocolOperation[]
  const chosen = known.map((name) => [name, choose(found, name)] as const)
  const named = (['init', 'gc'] as const).map((name) => {
    const [id] = prefixes.flatMap((prefix) => textOrNone(getField(document, `${prefix}${name}`)))
    return [name, found.find((one) => id !== undefined && one.id === id)] as const
  })
  const pairs: [ModuleOperation, DeclaredOperation][] = [...chosen, ...named].flatMap(
    ([name, one]) => (one === undefined ? [] : [[name, filledOperation(options, one)]]),
  )
  return Object.fromEntries(pairs)
}

function textOrNone(value: Json | undefined): string[] {
  return typeof value === 'string' && value !== '' ? [value] : []
}

function findOperation({ path, item, name, operation }: PathField): Found[] {
  const method = methods.find((known) => known.toLowerCase() === name)
  if (method === undefined || !path.startsWith('/')) return []
  const [id = ''] = textOrNone(getField(operation, 'operationId'))
  return [{ method, path, id, lastSegment: lastSegment(path), objects: [item, operation] }]
}

function choose(found: readonly Found[], name: ProtocolOperation): Found | undefined {
  const ids = operationIds[name]
  const byId = found.find((one) => ids.includes(one.id))
  return byId ?? found.find((one) => one.lastSegment === name && !taken(one.id, name))
}

/** Returns true if the id is one of another operation. */
function taken(id: string, name: ProtocolOperation): boolean {
  return Object.entries(operationIds).some(([other, ids]) => other !== name && ids.includes(id))
}

function lastSegment(path: string): string | undefined {
  return path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{'))
}

/** Names of the business in programs of the field, in paths and in `<prefix>from`. */
const ofBusiness: ReadonlySet<string> = new Set(['solution_id', 'account_id', 'business_id'])

function filledOperation(options: ReadOperationsOptions, found: Found): DeclaredOperation {
  const { method, path, objects } = found
  const given = objects.flatMap((object) => getItems(getField(object, 'parameters')))
  const filled = given
    .slice(0, marketplaceLimits.moduleParametersMax)
    .flatMap((parameter) => filledParameter(options, resolved(options.document, parameter)))
  return filled.length === 0 ? { method, path } : { method, path, filled }
}

function resolved(document: JsonObject, parameter: Json): Json {
  const [target] = textOrNone(getField(parameter, '$ref'))
  if (target === undefined || !target.startsWith('#/')) return parameter
  return valueAt(document, target.slice(1)) ?? parameter
}

function filledParameter(
  { parameters, prefixes }: ReadOperationsOptions,
  parameter: Json,
): FilledParameter[] {
  const place = (['path', 'query', 'header'] as const).find((one) => {
    return getField(parameter, 'in') === one
  })
  const [name] = textOrNone(getField(parameter, 'name'))
  if (place === undefined || name === undefined) return []
  const from = prefixes.flatMap((prefix) => textOrNone(getField(parameter, `${prefix}from`)))
  const source = [...from, name].find((one) => ofBusiness.has(one) || isDeclared(one))
  if (source === undefined) return []
  return [{ in: place, name, from: isDeclared(source) ? { parameter: source } : 'business' }]

  function isDeclared(one: string): boolean {
    return parameters.some((declared) => declared.name === one)
  }
}
