import {
  AnyValue,
  component,
  createSettingsParser,
  type Fields,
  invalidField,
  isJsonObject,
  limits,
  RecordOf,
  readFromWire,
  StrictObject,
  type TProperties,
  Type,
  wireSchema,
  withoutRefused,
  withoutUnknown,
} from '../../../foundation/kernel/index.ts'
import { resourcesInputSchema } from '../values/resource.ts'
import { createNewConnectorSchema, protocolNames, type SettingsInput } from './connector.ts'

/** A definition of the field, as the settings of a connector. */
export type ImportedDefinition = {
  readonly settings: SettingsInput & { readonly id?: unknown }
  /** The fields that are ignored, by name. */
  readonly dropped: readonly string[]
}

const importedRule = 'must be an object, or a list of resources with their alias'

/** The document of the last release lets a resource of a list be without its alias. */
const namedResource = Type.Refine(
  Type.Object({ alias: Type.Optional(Type.String()) }),
  ({ alias }) => alias !== undefined,
  () => importedRule,
)

/** The settings as the other platform has them, and its fields that mean nothing here. */
export function createDefinitionSchema() {
  const fields: TProperties = wireSchema(createNewConnectorSchema()).properties
  const ignored = Type.Optional(AnyValue<unknown>({ description: 'Without meaning here.' }))
  const protocol = (fields.protocol as { readonly properties?: TProperties } | undefined)
    ?.properties
  return component(
    'ImportedConnector',
    {
      ...fields,
      fqdn: ignored,
      protocol: Type.Optional(StrictObject({ ...protocol, port: ignored })),
      resources: Type.Optional(
        Type.Union([RecordOf(AnyValue<unknown>()), Type.Array(namedResource)], {
          description: 'By alias, or a list; the formats `float` and `integer` are numbers.',
          rule: importedRule,
        }),
      ),
      tags_schema: ignored,
    },
    { description: 'The definition of a product, as it was exported.' },
  )
}

const formats: Readonly<Record<string, string>> = { float: 'number', integer: 'number' }

/** It converts names alone: the limits in it are not looked at. */
const newConnector = wireSchema(createNewConnectorSchema())

/**
 * The settings in a definition of a product as the original exports it: resources by alias or as a
 * list, formats of older files, fields that mean nothing here.
 * @throws Fault invalid_argument
 */
export function parseDefinition(body: Fields): ImportedDefinition {
  const { tags_schema: tags, fqdn, protocol, resources, ...rest } = body
  const { port, ...named } = (protocol ?? {}) as Fields
  const dropped = Object.entries({ tags_schema: tags, fqdn, 'protocol.port': port })
  const settings = {
    ...rest,
    ...(protocol !== undefined && { protocol: named }),
    ...(resources !== undefined && { resources: parseResources(resources as object) }),
  }
  return {
    settings: readFromWire(newConnector, settings) as ImportedDefinition['settings'],
    dropped: dropped.filter(([, value]) => value !== undefined).map(([name]) => name),
  }
}

const parse = createSettingsParser(createDefinitionSchema, 'device2', '')

/**
 * The settings in the file of a project that describes its connector. A field without a meaning
 * here is ignored, and listed; of one that is out of range the sentence is. @throws Fault
 */
export function parseConnectorFile(body: Fields): {
  readonly settings: SettingsInput
  readonly dropped: readonly string[]
  readonly refused: readonly string[]
} {
  const unknown: string[] = []
  const refused: string[] = []
  const note = (path: string) => void unknown.push(path)
  // The authentication of devices, and the networks from which they may connect, protect them.
  const how = { note: (sentence: string) => void refused.push(sentence), guards: ['provisioning'] }
  const schema = createDefinitionSchema()
  const known = withoutUnknown(schema, withoutOddProtocol(body, note), note)
  const parsed = parseDefinition(parse(withoutRefused(schema, known, how)))
  const { id: _, resources: given, ...settings } = parsed.settings
  const named = withoutUnknown(resourcesInputSchema, withoutEmpty(given), (path) =>
    note(`resources.${path}`),
  )
  const { resources } = withoutRefused(
    StrictObject({ resources: resourcesInputSchema }),
    { resources: named },
    how,
  ) as SettingsInput
  return {
    settings: { ...settings, ...(resources !== undefined && { resources }) },
    dropped: [...unknown, ...parsed.dropped],
    refused,
  }
}

/** A protocol of another name changes nothing: HTTP and MQTT are served whatever it is. */
function withoutOddProtocol(body: Fields, note: (path: string) => void): Fields {
  const { protocol } = body
  if (!isJsonObject(protocol) || protocol.name === undefined) return body
  const { name, ...rest } = protocol
  if (protocolNames.some((one) => one === name)) return body
  note('protocol.name')
  return { ...body, protocol: rest }
}

/** A unit that is empty is none. */
function withoutEmpty(resources: unknown): unknown {
  if (!isJsonObject(resources)) return resources
  return Object.fromEntries(
    Object.entries(resources).map(([alias, one]) => {
      if (!isJsonObject(one) || one.unit !== '') return [alias, one]
      const { unit: _, ...rest } = one
      return [alias, rest]
    }),
  )
}

function parseResources(input: object): unknown {
  const { resourcesMax } = limits
  if (Object.keys(input).length > resourcesMax) {
    throw invalidField('resources', `must be at most ${resourcesMax}`)
  }
  const pairs: readonly (readonly [string, unknown])[] = Array.isArray(input)
    ? input.map((one) => [one.alias ?? '', one])
    : Object.entries(input)
  const known = new Set<string>()
  const twice = pairs.map(([alias]) => alias).find((alias) => known.size === known.add(alias).size)
  if (twice !== undefined) throw invalidField(`resources.${twice}`, 'is defined twice')
  return Object.fromEntries(pairs.map(([alias, one]) => [alias, readDefinition(one)]))
}

function readDefinition(one: unknown): unknown {
  if (!isJsonObject(one)) return one
  const { format } = one
  const known = typeof format === 'string' && Object.hasOwn(formats, format)
  return known ? Object.assign({}, one, { format: formats[format] }) : one
}
