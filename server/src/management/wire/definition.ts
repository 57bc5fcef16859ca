import {
  createSettingsParser,
  type Fields,
  invalidField,
  isJsonObject,
  limits,
  omitUndefined,
  StrictObject,
  withoutRefused,
  withoutUnknown,
} from '../../kernel/index.ts'
import {
  protocolNameSchema,
  resourcesSchema,
  type SettingsInput,
} from '../../provisioning/index.ts'
import { type ConnectorImport, createImportSchema } from '../contract/schemas/connector.ts'
import { parseConnectorBody, type SettingsBody } from './settings.ts'

/** A definition of the field, as the settings of a connector. */
export type ImportedDefinition = {
  readonly settings: SettingsBody & { readonly id?: unknown }
  /** The fields that are ignored, by name. */
  readonly dropped: readonly string[]
}

const formats: Readonly<Record<string, string>> = { float: 'number', integer: 'number' }

/**
 * The settings in a definition of a product as the original exports it: resources by alias or as a
 * list, formats of older files, fields that mean nothing here.
 * @throws Fault invalid_argument
 */
export function parseDefinition(body: ConnectorImport): ImportedDefinition {
  const { tags_schema: tags, fqdn, protocol, resources, ...rest } = body
  const { port, ...named } = protocol ?? {}
  const dropped = Object.entries({ tags_schema: tags, fqdn, 'protocol.port': port })
  return {
    settings: omitUndefined({
      ...rest,
      protocol: protocol && named,
      resources: resources && parseResources(resources),
    }),
    dropped: dropped.filter(([, value]) => value !== undefined).map(([name]) => name),
  }
}

const parse = createSettingsParser(createImportSchema, 'device2', '')

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
  // How devices authenticate, and from where they may connect, protects them.
  const how = { note: (sentence: string) => void refused.push(sentence), guards: ['provisioning'] }
  const schema = createImportSchema()
  const known = withoutUnknown(schema, withoutOddProtocol(body, note), note)
  const { settings, dropped } = parseDefinition(parse(withoutRefused(schema, known, how)))
  const resources = withoutUnknown(resourcesSchema, withoutEmpty(settings.resources), (path) =>
    note(`resources.${path}`),
  )
  const { resources: taken } = withoutRefused(
    StrictObject({ resources: resourcesSchema }),
    { resources },
    how,
  ) as SettingsBody
  const named = omitUndefined({ ...settings, id: undefined, resources: taken })
  return { settings: parseConnectorBody(named), dropped: [...unknown, ...dropped], refused }
}

/** A protocol of another name changes nothing: HTTP and MQTT are served whatever it is. */
function withoutOddProtocol(body: Fields, note: (path: string) => void): Fields {
  const { protocol } = body
  if (!isJsonObject(protocol) || protocol.name === undefined) return body
  const { name, ...rest } = protocol
  if (protocolNameSchema.enum.some((one) => one === name)) return body
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

function parseResources(input: NonNullable<ConnectorImport['resources']>): unknown {
  const { resourcesMax } = limits
  if (Object.keys(input).length > resourcesMax) {
    throw invalidField('resources', `must be at most ${resourcesMax}`)
  }
  const pairs = Array.isArray(input)
    ? input.map((one) => [one.alias ?? '', one] as const)
    : Object.entries(input)
  const known = new Set<string>()
  const twice = pairs.map(([alias]) => alias).find((alias) => known.size === known.add(alias).size)
  if (twice !== undefined) throw invalidField(`resources.${twice}`, 'is defined twice')
  return Object.fromEntries(pairs.map(([alias, one]) => [alias, definitionOf(one)]))
}

function definitionOf(one: unknown): unknown {
  if (!isJsonObject(one)) return one
  const { format } = one
  const known = typeof format === 'string' && Object.hasOwn(formats, format)
  return known ? Object.assign({}, one, { format: formats[format] }) : one
}
