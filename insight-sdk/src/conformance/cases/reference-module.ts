import { isObject } from '../../protocol/reading.ts'

type Fields = { readonly [key: string]: unknown }

/** A status and a body; a text is sent as HTML, anything else as JSON. */
type Reply = readonly [status: number, body: unknown]

/** A change that a case makes to the reference module; a field that is undefined is left out. */
export type Change = {
  readonly definition?: Fields
  readonly parameter?: Fields
  readonly info?: Fields
  readonly list?: Fields
  readonly function?: Fields
  readonly inlet?: Fields
  readonly outlet?: Fields
  readonly constant?: Fields
  readonly signal?: Fields
  readonly failure?: Fields
  /** Answers in place of the module's own, by `METHOD /path`; `failure` for those that fail. */
  readonly replies?: { readonly [route: string]: Reply }
  /** The body of the answer to a value that is not of the inlet's type. */
  readonly unusable?: string
}

/** A request to the reference module. */
export type ReferenceRequest = {
  readonly method: string
  readonly path: string
  /** The text of the body; empty if there is none. */
  readonly body: string
}

export type ReferenceAnswer = {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** Answers as a module with every field of the protocol does, after a change. */
export function answerReference(change: Change, request: ReferenceRequest): ReferenceAnswer {
  const route = `${request.method} ${request.path}`
  const isToFail = `${route}${request.body}`.includes('no-such-function')
  const replaced = change.replies?.[isToFail ? 'failure' : route]
  const [status, body] = replaced ?? replyTo(change, route, parse(request.body))
  if (typeof body === 'string') return { status, contentType: 'text/html', body }
  return { status, contentType: 'application/json', body: JSON.stringify(body) }
}

function replyTo(change: Change, route: string, body: Fields): Reply {
  switch (route) {
    case 'GET /interface':
      return [200, makeDefinition(change)]
    case 'GET /info':
      return [200, { ...info, ...change.info }]
    case 'POST /insights':
      return [200, makeList(change, body)]
    case 'GET /insight/double':
      return [200, makeFunction(change)]
    case 'GET /insight/alarm':
      return [200, action]
    case 'POST /lifecycle':
      return [200, {}]
    case 'POST /process':
      return process(change, body)
    default:
      return makeFailure(change)
  }
}

const words = { de: { name: 'Mal zwei', description: 'Verdoppelt' } }
const info = {
  group_id_required: false,
  name: 'Reference',
  description: 'Doubles',
  wants_lifecycle_events: true,
  translations: words,
}
const action = { id: 'alarm', name: 'Alarm', description: 'Acts', type: 'action' }
const number = {
  primitive_type: 'NUMERIC',
  data_type: ['TEMPERATURE'],
  data_unit: ['DEG_CELSIUS'],
}
const inlet = { name: 'In', tag: 'in', description: 'A value', translations: words, ...number }
const outlet = {
  name: 'Out',
  description: 'The result',
  suggested_name: '{} doubled',
  translations: { de: { name: 'Ergebnis', suggested_name: '{} verdoppelt' } },
  ...number,
}
const constant = {
  name: 'factor',
  type: 'number',
  description: 'By how much',
  default: 2,
  enum: [1, 2, 4],
  enum_presented: ['Once', 'Twice', 'Four times'],
  minimum: 1,
  maximum: 4,
  multiple: false,
  translations: { de: { description: 'Wie oft', enum_presented: ['1', '2', '4'] } },
}
const parameter = {
  name: 'key',
  description: 'API key',
  type: 'string',
  format: 'password',
  required: true,
}
const definition = {
  swagger: '2.0',
  host: 'insight.example',
  basePath: '/',
  tags: [{ name: 'insight', description: 'Doubles' }],
  schemes: ['https'],
  consumes: ['application/json'],
  produces: ['application/json'],
  paths: {
    '/info': { get: { operationId: 'info' } },
    '/insights': { post: { operationId: 'insights' } },
    '/insight/{function_id}': { get: { operationId: 'insight' } },
    '/lifecycle': { post: { operationId: 'lifecycle' } },
    '/process': { post: { operationId: 'process' } },
  },
}

function makeDefinition(change: Change): Fields {
  const parameters = [{ ...parameter, ...change.parameter }]
  const about = { title: 'Reference', version: '1.0.0', 'x-vendor-config-parameters': parameters }
  return { ...definition, info: about, ...change.definition }
}

function makeFunction(change: Change): Fields {
  const own = {
    id: 'double',
    name: 'Double',
    description: 'Times a factor',
    translations: words,
    type: 'transform',
    constants: [{ ...constant, ...change.constant }],
    constants_multiple_maximum: 3,
    inlets: [{ ...inlet, ...change.inlet }],
    outlets: [{ ...outlet, ...change.outlet }],
  }
  return { ...own, ...change.function }
}

function makeList(change: Change, { offset, limit }: Fields): Fields {
  const all = [makeFunction(change), action]
  const from = Number(offset ?? 0)
  const insights = all.slice(from, from + Number(limit ?? all.length))
  return { total: all.length, count: insights.length, insights, ...change.list }
}

/** Doubles the first value. */
function process(change: Change, { id, data, args }: Fields): Reply {
  if (!isObject(args) || args.function_id !== 'double') return makeFailure(change)
  const source: unknown = Array.isArray(data) ? data[0] : undefined
  if (!isObject(source)) return [200, [[]]]
  if (typeof source.value !== 'number') return [200, change.unusable ?? [[]]]
  const value = 2 * source.value
  return [200, [[{ ...source, value, generated: id, gts: source.ts, ...change.signal }]]]
}

function makeFailure({ failure }: Change): Reply {
  return [404, { message: 'There is no such function.', status: 404, name: 'NotFound', ...failure }]
}

function parse(body: string): Fields {
  try {
    const json: unknown = JSON.parse(body)
    return isObject(json) ? json : {}
  } catch {
    return {}
  }
}
