import {
  type Fields,
  invalidField,
  isJsonObject,
  limits,
} from '../../../foundation/kernel/index.ts'
import {
  type ApiDocument,
  createExtensions,
  field,
  fieldsIn,
  itemsIn,
  openDocument,
  type ReadExtension,
} from './document.ts'
import { openapiLimits } from './limits.ts'
import { type CloudScheme, readSchemes } from './schemes.ts'
import { type CloudServer, readServer } from './server.ts'

/** The facts about a call that the platform fills in. */
export const filledFrom = ['solution_id', 'business_id', 'service_id'] as const
export type FilledFrom = (typeof filledFrom)[number]

/** A value that the settings of the service have, and each call that has a place for it. */
export type CloudSetting = { readonly restricted: boolean }

export type CloudParameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  /** The fact with which the platform fills it, in place of an argument. */
  readonly from: FilledFrom | undefined
  /** True if a list of a query is several pairs, and not commas in one. */
  readonly several: boolean
}

export type CloudBody = {
  readonly type: 'json' | 'form' | 'raw'
  readonly contentType: string
  readonly required: boolean
  /** The argument that holds it; its fields may be arguments, too. */
  readonly name: string
  /** The names of the fields that the document describes. */
  readonly fields: readonly string[]
}

/** The place at which an operation gets the URL of a callback, if the script gives none. */
export type CallbackPlace = {
  readonly event: string
  readonly in: 'body' | 'query'
  readonly name: string
}

export type CloudOperation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly CloudParameter[]
  readonly body: CloudBody | undefined
  /** Alternatives: the schemes of each with their scopes. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly callbacks: readonly CallbackPlace[]
}

/** A service as its OpenAPI document describes it. */
export type CloudDefinition = {
  readonly operations: ReadonlyMap<string, CloudOperation>
  readonly schemes: ReadonlyMap<string, CloudScheme>
  /** Undefined if the document names none, and the settings have no base URL. */
  readonly server: CloudServer | undefined
  readonly settings: ReadonlyMap<string, CloudSetting>
  readonly events: readonly string[]
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const
const luaName = /^[A-Za-z_]\w*$/
const eventName = /^[a-zA-Z][a-zA-Z0-9]{0,99}$/

export type DefinitionInput = {
  readonly definition: unknown
  readonly baseUrl: string | undefined
  /** Events beside the callbacks that the document names. */
  readonly events: readonly string[]
  /** The prefixes of extension fields, such as `x-vendor-`. */
  readonly prefixes: readonly string[]
  /** Gets what is kept and cannot be called. */
  readonly note: (sentence: string) => void
}

/** @throws Fault invalid_argument */
export function readDefinition(input: DefinitionInput): CloudDefinition {
  const document = openDocument(input.definition)
  const read = createExtensions(input.prefixes)
  const operations = new Map<string, CloudOperation>()
  const events = new Set(input.events)
  let parts = 0
  for (const [name] of fieldsIn(document.fields.webhooks)) addEvent(name, events, input.note)
  for (const [path, item] of fieldsIn(document.fields.paths)) {
    for (const method of methods) {
      const operation = field(document.resolve(item), method)
      if (!isJsonObject(operation)) continue
      const found = readOperation(document, { path, method, item, operation, read })
      if (typeof found === 'string') input.note(found)
      else if (operations.has(found.id)) throw invalid(`has the operationId ${found.id} twice`)
      else operations.set(found.id, found)
      if (typeof found !== 'string') parts += countParts(found)
      if (parts > openapiLimits.cloudPartsMax) throw invalid(tooManyParts())
      for (const [name] of fieldsIn(operation.callbacks)) addEvent(name, events, input.note)
    }
  }
  if (operations.size === 0) throw invalid('has no operation with an operationId')
  const schemes = readSchemes(document)
  const server = readServer(document, input.baseUrl)
  if (server === undefined) input.note('the file names no server: calls fail without base_url')
  for (const name of ['init', 'update', 'gc', 'info']) {
    if (read(document.fields, name) === undefined) continue
    input.note(`the operation that ${name} names is called by scripts alone`)
  }
  const settings = readCloudSettings(document, read)
  return { operations, schemes, server, settings, events: [...events] }
}

function invalid(rule: string) {
  return invalidField('definition', rule)
}

/** Counts the parts of the document in the operation; a part that several share counts for each. */
function countParts({ parameters, body, security, callbacks }: CloudOperation): number {
  const fields = body?.fields.length ?? 0
  return parameters.length + fields + security.length + callbacks.length
}

function tooManyParts(): string {
  const { cloudPartsMax: most } = openapiLimits
  return `has operations with more than ${most} parameters, fields and schemes`
}

function addEvent(name: string, events: Set<string>, note: (sentence: string) => void): void {
  if (eventName.test(name)) events.add(name)
  else note(`the callback ${name.slice(0, limits.nameCharsMax)} is no name of an event: it is kept`)
}

type Place = {
  readonly path: string
  readonly method: string
  readonly item: unknown
  readonly operation: Fields
  readonly read: ReadExtension
}

/** @returns a sentence for an operation that scripts cannot call. */
function readOperation(document: ApiDocument, place: Place): CloudOperation | string {
  const { path, method, operation } = place
  const id = operation.operationId
  const shown = `${method.toUpperCase()} ${path}`.slice(0, limits.nameCharsMax)
  if (typeof id !== 'string' || !luaName.test(id) || id.length > limits.nameCharsMax) {
    return `${shown} has no operationId that scripts can call: it is kept`
  }
  if (!path.startsWith('/')) throw invalid(`has the path ${shown} without a slash`)
  const given = readParameters(document, place)
  const security = operation.security ?? document.fields.security
  return {
    id,
    method: method.toUpperCase(),
    path,
    parameters: given.flatMap((one) => readParameter(one, place.read)),
    body: document.isSwagger
      ? swaggerBody(document, given, operation)
      : readBody(document, operation),
    security: itemsIn(security).map((one) =>
      Object.fromEntries(
        fieldsIn(one).map(([name, scopes]) => [name, itemsIn(scopes).map(String)]),
      ),
    ),
    callbacks: fieldsIn(operation.callbacks).flatMap((one) => callbackPlaces(document, one)),
  }
}

/**
 * Reads `<prefix>config-parameters`, at the top of the file or in its `info`: a list of names or of
 * parameters, or parameters by name.
 */
function readCloudSettings(
  { fields, resolve }: ApiDocument,
  read: ReadExtension,
): ReadonlyMap<string, CloudSetting> {
  const settings = new Map<string, CloudSetting>()
  for (const given of [fields, field(fields, 'info')]) {
    const list = read(given, 'config-parameters')
    const parts = Array.isArray(list)
      ? list.map((one) => [isJsonObject(one) ? one.name : one, one] as const)
      : fieldsIn(list)
    for (const [name, one] of parts) {
      if (typeof name !== 'string' || name === '') continue
      settings.set(name, { restricted: read(resolve(one), 'restricted') === true })
    }
  }
  return settings
}

/** Parameters of the operation count before those of its path. */
function readParameters(document: ApiDocument, { item, operation }: Place): Fields[] {
  const lists = [field(document.resolve(item), 'parameters'), operation.parameters]
  const found = new Map<string, Fields>()
  for (const one of lists.flatMap(itemsIn)) {
    const parameter = document.resolve(one)
    if (!isJsonObject(parameter) || typeof parameter.name !== 'string') {
      throw invalid('has a parameter without a name')
    }
    found.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  return [...found.values()]
}

/** Set by the platform itself; OpenAPI passes over parameters of these names. */
const ownHeaders = new Set([
  'accept',
  'authorization',
  'content-type',
  'content-length',
  'cookie',
  'host',
  'connection',
  'transfer-encoding',
  'upgrade',
])

function readParameter(given: Fields, read: ReadExtension): CloudParameter[] {
  const place = (['path', 'query', 'header'] as const).find((one) => one === given.in)
  const name = String(given.name)
  if (place === undefined) return []
  if (place === 'header' && ownHeaders.has(name.toLowerCase())) return []
  const required = place === 'path' || given.required === true
  const several =
    given.collectionFormat === undefined
      ? given.explode !== false && given.type === undefined
      : given.collectionFormat === 'multi'
  const from = filledFrom.find((one) => one === read(given, 'from'))
  return [{ name, in: place, required, several, from }]
}

function readBody(document: ApiDocument, { requestBody }: Fields): CloudBody | undefined {
  const body = document.resolve(requestBody)
  const [contentType] = fieldsIn(field(body, 'content')).map(([type]) => type)
  if (contentType === undefined) return undefined
  const { schema } = Object.fromEntries(fieldsIn(field(field(body, 'content'), contentType)))
  const fields = fieldsIn(field(document.resolve(schema), 'properties')).map(([name]) => name)
  return bodyAs(contentType, { required: field(body, 'required') === true, name: 'body', fields })
}

function swaggerBody(
  document: ApiDocument,
  given: readonly Fields[],
  operation: Fields,
): CloudBody | undefined {
  const [type] = itemsIn(operation.consumes ?? document.fields.consumes).map(String)
  const body = given.find((one) => one.in === 'body')
  if (body !== undefined) {
    const fields = fieldsIn(field(document.resolve(body.schema), 'properties'))
    const about = { required: body.required === true, name: String(body.name) }
    const names = fields.map(([name]) => name)
    return bodyAs(type ?? 'application/json', { ...about, fields: names })
  }
  const form = given.filter((one) => one.in === 'formData').map(({ name }) => String(name))
  if (form.length === 0) return undefined
  const about = { required: false, name: 'body', fields: form }
  return bodyAs('application/x-www-form-urlencoded', about)
}

function bodyAs(
  contentType: string,
  about: Pick<CloudBody, 'required' | 'name' | 'fields'>,
): CloudBody {
  const [plain = ''] = contentType.toLowerCase().split(';')
  const isJson = /^(?:application\/(?:json|[^\s/]+\+json)|\*\/\*)$/.test(plain.trim())
  const isForm = plain.trim() === 'application/x-www-form-urlencoded'
  const type = isJson ? 'json' : isForm ? 'form' : 'raw'
  return { type, contentType: isJson ? 'application/json' : contentType, ...about }
}

/** `{$request.body#/callbackUrl}` or `{$request.query.callbackUrl}`. */
function callbackPlaces(document: ApiDocument, [event, callback]: [string, unknown]) {
  return fieldsIn(document.resolve(callback)).flatMap(([expression]): CallbackPlace[] => {
    const [, place, name] = /^\{\$request\.(body#\/|query\.)([\w-]+)\}$/.exec(expression) ?? []
    if (name === undefined || !eventName.test(event)) return []
    return [{ event, in: place === 'query.' ? 'query' : 'body', name }]
  })
}
