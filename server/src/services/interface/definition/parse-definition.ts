import {
  choiceField,
  type Fields,
  invalidField,
  isJsonObject,
  limits,
  objectField,
  omitUndefined,
} from '../../../kernel/index.ts'
import { listOf, matching, textOf } from '../fields.ts'
import { changedQuota } from '../quotas/quota.ts'
import { isEmail } from '../schema/formats.ts'
import { schemaReader } from '../schema/parse.ts'
import {
  type Definition,
  type EventDefinition,
  modes,
  type OperationDefinition,
  type ParameterDefinition,
  parameterTypes,
} from './definition.ts'

const businessId = /^[a-zA-Z0-9_-]+$/
const scriptKey = /^(?![0-9])[a-zA-Z0-9]{2,63}$/
const callName = /^[a-zA-Z][a-zA-Z0-9]+$/
const parameterName = /^[a-zA-Z][a-zA-Z0-9_]{2,99}$/

/** Events of the service itself; an operation must not have one of these names. */
export const ownEvents = ['subscriberAdded', 'subscriberRemoved', 'subscriberUpdated'] as const

type ReadSchema = ReturnType<typeof schemaReader>

/**
 * Parses the definition of an exposed solution; every field gets its default.
 * @throws Fault invalid_argument, naming the field
 */
export function parseDefinition(solutionId: string, body: Fields): Definition {
  const fields = objectField('interface', body, [
    ...['default_script_key', 'name', 'description', 'contact', 'tags', 'whitelist'],
    ...['parameters', 'operations', 'events', 'mode', 'quota'],
  ])
  const readSchema = schemaReader()
  const name = maybe(fields.name, (value) => textOf('name', value, limits.nameCharsMax)) ?? ''
  const key = keyOf(solutionId, name, fields.default_script_key)
  return omitUndefined({
    default_script_key: key,
    name: name === '' ? key : name,
    description: textOf('description', fields.description ?? '', limits.descriptionCharsMax),
    contact: parseContact(fields.contact ?? {}),
    tags: listOf('tags', fields.tags, limits.interfaceTagsMax).map(parseTag),
    whitelist: listOf('whitelist', fields.whitelist, limits.interfaceWhitelistMax).map(
      (business, index) => businessIdOf(`whitelist[${index}]`, business),
    ),
    parameters: named(
      'parameters',
      listOf('parameters', fields.parameters, limits.interfaceParametersMax),
      (field, value) => parseParameter(field, value, readSchema),
    ),
    operations: named(
      'operations',
      listOf('operations', fields.operations, limits.interfaceOperationsMax),
      (field, value) => parseOperation(field, value, readSchema),
    ),
    events: named(
      'events',
      listOf('events', fields.events, limits.interfaceEventsMax),
      (field, value) => parseEvent(field, value, readSchema),
    ),
    mode: maybe(fields.mode, (value) => choiceField('mode', value, modes)),
    quota: maybe(fields.quota, (value) => changedQuota({}, value)),
  })
}

/** Returns the script key: the name without characters that a key cannot have, else the id. */
function keyOf(solutionId: string, name: string, value: unknown): string {
  if (value !== undefined) return matching('default_script_key', value, scriptKey)
  const found = [name.replace(/[^a-zA-Z0-9]/g, ''), solutionId].find((key) => scriptKey.test(key))
  if (found !== undefined) return found
  throw invalidField('default_script_key', 'must be given: neither name nor id can be one')
}

function parseContact(value: unknown): Definition['contact'] {
  const { name, email } = objectField('contact', value, ['name', 'email'])
  if (email !== undefined && !isEmail(textOf('contact.email', email, limits.emailCharsMax))) {
    throw invalidField('contact.email', 'must be an e-mail address')
  }
  return omitUndefined({
    name: maybe(name, (text) => textOf('contact.name', text, limits.nameCharsMax)),
    email: email as string | undefined,
  })
}

function parseTag(value: unknown, index: number): string {
  const tag = textOf(`tags[${index}]`, value, limits.interfaceTagCharsMax)
  if (tag === '') throw invalidField(`tags[${index}]`, 'must not be empty')
  return tag
}

function parseParameter(field: string, value: unknown, readSchema: ReadSchema) {
  const known = ['name', 'type', 'items', 'properties', 'description']
  const { name, type, items, properties, description } = objectField(field, value, known)
  if (items !== undefined) readSchema(`${field}.items`, items)
  // Parsed as the keyword `properties` of a payload.
  if (properties !== undefined) readSchema(field, { properties })
  return omitUndefined({
    name: matching(`${field}.name`, name, parameterName),
    type: choiceField(`${field}.type`, type ?? 'string', parameterTypes),
    items: items as ParameterDefinition['items'],
    properties: properties as ParameterDefinition['properties'],
    description: descriptionOf(field, description),
  })
}

function parseOperation(field: string, value: unknown, readSchema: ReadSchema) {
  const known = ['name', 'script', 'response', 'parameters', 'description']
  const { name, script, ...rest } = objectField(field, value, known)
  const operation: OperationDefinition = omitUndefined({
    name: matching(`${field}.name`, name, callName),
    script: scriptOf(`${field}.script`, script),
    ...payloads(field, rest, readSchema),
  })
  const taken = ownEvents.find((event) => event === operation.name)
  if (taken !== undefined)
    throw invalidField(`${field}.name`, `${taken} is an event of the service`)
  return operation
}

function parseEvent(field: string, value: unknown, readSchema: ReadSchema): EventDefinition {
  const known = ['name', 'response', 'parameters', 'description', 'default_script']
  const { name, default_script, ...rest } = objectField(field, value, known)
  return omitUndefined({
    name: matching(`${field}.name`, name, callName),
    ...payloads(field, rest, readSchema),
    default_script: scriptOf(`${field}.default_script`, default_script),
  })
}

function payloads(
  field: string,
  { response, parameters, description }: Fields,
  readSchema: ReadSchema,
) {
  if (response !== undefined) readSchema(`${field}.response`, response)
  if (parameters !== undefined) readSchema(`${field}.parameters`, parameters)
  return {
    response: response as OperationDefinition['response'],
    parameters: parameters as OperationDefinition['parameters'],
    description: descriptionOf(field, description),
  }
}

function scriptOf(field: string, value: unknown): string | undefined {
  return maybe(value, (text) => textOf(field, text, limits.scriptSourceBytesMax))
}

function descriptionOf(field: string, value: unknown): string | undefined {
  return maybe(value, (text) => textOf(`${field}.description`, text, limits.descriptionCharsMax))
}

function maybe<Part>(value: unknown, read: (value: unknown) => Part): Part | undefined {
  return value === undefined ? undefined : read(value)
}

/** Parses a list whose items have unique names. */
function named<Part extends { readonly name: string }>(
  list: string,
  values: readonly unknown[],
  read: (field: string, value: unknown) => Part,
): Part[] {
  const seen = new Set<string>()
  return values.map((value, index) => {
    const field = `${list}[${index}]`
    const part = read(field, value)
    if (seen.has(part.name)) throw invalidField(`${field}.name`, `is there twice: ${part.name}`)
    seen.add(part.name)
    return part
  })
}

/** Checks the form of a business's id; the business itself need not exist. */
function businessIdOf(field: string, value: unknown): string {
  const id = textOf(field, value, limits.hostLabelCharsMax)
  if (!businessId.test(id)) {
    throw invalidField(field, 'must be the id of a business')
  }
  return id
}

/** Returns the definition: the body, or its `parameters` as a read configuration has them. */
export function definitionIn(body: Fields): Fields {
  const { parameters, triggers: _, ...rest } = body
  const isNested = isJsonObject(parameters) && Object.keys(rest).length === 0
  return isNested ? parameters : body
}
