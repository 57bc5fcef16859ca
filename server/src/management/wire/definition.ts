import { invalidField, isJsonObject, omitUndefined } from '../../kernel/index.ts'
import type { ConnectorImport } from '../contract/schemas/connector.ts'
import type { SettingsBody } from './settings.ts'

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

function parseResources(input: NonNullable<ConnectorImport['resources']>): unknown {
  const pairs = Array.isArray(input)
    ? input.map((one) => [one.alias ?? '', one] as const)
    : Object.entries(input)
  const aliases = pairs.map(([alias]) => alias)
  const twice = aliases.find((alias, at) => aliases.indexOf(alias) !== at)
  if (twice !== undefined) throw invalidField(`resources.${twice}`, 'is defined twice')
  return Object.fromEntries(pairs.map(([alias, one]) => [alias, definitionOf(one)]))
}

function definitionOf(one: unknown): unknown {
  if (!isJsonObject(one)) return one
  const { format } = one
  const known = typeof format === 'string' && Object.hasOwn(formats, format)
  return known ? Object.assign({}, one, { format: formats[format] }) : one
}
