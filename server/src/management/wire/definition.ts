import { isJsonObject, omitUndefined } from '../../kernel/index.ts'
import { bodyObject, type Fields, invalid } from './fields.ts'

/** A definition of the field, as settings that `parseConnectorBody` takes. */
export type ImportedDefinition = {
  readonly settings: Fields
  /** The fields that are ignored, by name. */
  readonly dropped: readonly string[]
}

const formats: Readonly<Record<string, string>> = { float: 'number', integer: 'number' }

/**
 * The settings in a definition of a product as the original exports it: resources by alias or as a
 * list, formats of older files, fields that mean nothing here.
 * @throws Fault malformed_request, invalid_argument
 */
export function parseDefinition(input: unknown): ImportedDefinition {
  const { tags_schema: tags, fqdn, protocol, resources, ...rest } = bodyObject(input)
  const { port, ...named } = isJsonObject(protocol) ? protocol : {}
  const dropped = Object.entries({ tags_schema: tags, fqdn, 'protocol.port': port })
  return {
    settings: omitUndefined({
      ...rest,
      protocol: isJsonObject(protocol) ? named : protocol,
      resources: resources === undefined ? undefined : parseResources(resources),
    }),
    dropped: dropped.filter(([, value]) => value !== undefined).map(([name]) => name),
  }
}

function parseResources(input: unknown): unknown {
  const pairs = Array.isArray(input) ? input.map(pairOf) : entriesOf(input)
  const aliases = pairs.map(([alias]) => alias)
  const twice = aliases.find((alias, at) => aliases.indexOf(alias) !== at)
  if (twice !== undefined) throw invalid(`resources.${twice}`, 'is defined twice')
  return Object.fromEntries(pairs.map(([alias, one]) => [alias, definitionOf(one)]))
}

function entriesOf(input: unknown): [string, unknown][] {
  if (isJsonObject(input)) return Object.entries(input)
  throw invalid('resources', 'must be an object, or a list of resources with their alias')
}

function pairOf(item: unknown): [string, unknown] {
  if (isJsonObject(item) && typeof item.alias === 'string') return [item.alias, item]
  throw invalid('resources', 'as a list must hold objects with their alias')
}

function definitionOf(one: unknown): unknown {
  if (!isJsonObject(one)) return one
  const { format } = one
  const known = typeof format === 'string' && Object.hasOwn(formats, format)
  return known ? Object.assign({}, one, { format: formats[format] }) : one
}
