import {
  createSettingsParser,
  type Fields,
  invalidField,
  isJsonObject,
  omitUndefined,
  withoutRefused,
  withoutUnknown,
} from '../../../../foundation/kernel/index.ts'
import { changedQuota } from '../quotas/quota.ts'
import { type NoteUnknown, schemaReader } from '../schema/parse.ts'
import { createDefinitionSchema, type Definition, scriptKey } from './definition.ts'
import { defaultOperations, titled } from './device-operations.ts'

/** Events of the service itself; an operation must not have one of these names. */
export const ownEvents = ['subscriberAdded', 'subscriberRemoved', 'subscriberUpdated'] as const

type ReadSchema = ReturnType<typeof schemaReader>

const parse = createSettingsParser(createDefinitionSchema, 'interface', '')

/**
 * Parses the definition of an exposed solution; every field gets its default. Without a note
 * unknown fields are refused. @throws Fault invalid_argument, naming the field
 */
export function parseDefinition(solutionId: string, body: Fields, note?: NoteUnknown): Definition {
  const { parameters = [], operations = [], events = [], ...given } = parse(takeKnown(body, note))
  const { name = '', type, mode, quota } = given
  const key = given.default_script_key ?? chooseKey(solutionId, name)
  const readSchema = schemaReader(note)
  for (const [field, one] of named('parameters', parameters)) {
    if (one.items !== undefined) readSchema(`${field}.items`, one.items)
    // Read as the keyword `properties` of a payload.
    if (one.properties !== undefined) readSchema(field, { properties: one.properties })
  }
  for (const [field, one] of named('operations', operations)) {
    checkPayloads(readSchema, field, one)
    const taken = ownEvents.find((event) => event === one.name)
    if (taken === undefined) continue
    throw invalidField(`${field}.name`, `${taken} is an event of the service`)
  }
  for (const [field, one] of named('events', events)) checkPayloads(readSchema, field, one)
  return omitUndefined({
    default_script_key: key,
    name: name === '' ? key : name,
    description: given.description ?? '',
    contact: given.contact ?? {},
    tags: given.tags ?? [],
    whitelist: given.whitelist ?? [],
    parameters: parameters.map(({ name, type = 'string', ...rest }) => ({ name, type, ...rest })),
    operations:
      type === 'P' ? [...operations.map(titled), ...defaultOperations(operations)] : operations,
    events,
    type,
    mode,
    quota: quota && changedQuota({}, quota),
  })
}

/** `parameters` of operations are payloads, whose keywords their reader checks. */
function takeKnown(body: Fields, note: NoteUnknown): unknown {
  if (note === undefined) return body
  const { type, ...rest } = body
  const known = type === undefined || type === 'P' ? body : rest
  if (known === rest) note(`interface has no type ${JSON.stringify(type)}: it changes nothing`)
  const schema = createDefinitionSchema()
  const named = withoutUnknown(schema, known, (path) => {
    note(`interface has no setting ${path}: it is kept and has no effect`)
  })
  return withoutRefused(schema, named, { note, guards: ['whitelist', 'quota'] })
}

/** Returns the script key: the name without characters that a key cannot have, else the id. */
function chooseKey(solutionId: string, name: string): string {
  const found = [name.replace(/[^a-zA-Z0-9]/g, ''), solutionId].find((key) => scriptKey.test(key))
  if (found !== undefined) return found
  throw invalidField('default_script_key', 'must be given: neither name nor id can be one')
}

function checkPayloads(
  readSchema: ReadSchema,
  field: string,
  { response, parameters }: Definition['operations'][number],
): void {
  if (response !== undefined) readSchema(`${field}.response`, response)
  if (parameters !== undefined) readSchema(`${field}.parameters`, parameters)
}

/** Returns the items of a list with their fields. @throws Fault for a name that is there twice */
function named<Part extends { readonly name: string }>(
  list: string,
  parts: readonly Part[],
): readonly (readonly [field: string, part: Part])[] {
  const seen = new Set<string>()
  return parts.map((part, index) => {
    const field = `${list}[${index}]`
    if (seen.has(part.name)) throw invalidField(`${field}.name`, `is duplicated: ${part.name}`)
    seen.add(part.name)
    return [field, part]
  })
}

/** Returns the definition: the body, or its `parameters` as a read configuration has them. */
export function definitionIn(body: Fields): Fields {
  const { parameters, triggers: _, ...rest } = body
  const isNested = isJsonObject(parameters) && Object.keys(rest).length === 0
  return isNested ? parameters : body
}
