import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  assertValidSchema,
  buildSchema,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type InputValueDefinitionNode,
  isObjectType,
  isScalarType,
  isUnionType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  visit,
} from 'graphql'
import { parseIso, refuseTime, refuseUnit, toIso } from '../../foundation/kernel/index.ts'
import { guardFields } from './permissions.ts'
import type { ResolverMap } from './resolver.ts'
import type { Sources } from './subscriptions/sources.ts'

const folder = join(import.meta.dirname, 'schema')

/**
 * The text of the whole schema: the files below schema/, in the order of their names, with the
 * argument that all fields of Mutation have.
 */
export function readSchema(): string {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = all.filter((name) => name.endsWith('.graphql'))
  return files
    .sort()
    .map((name) => withClientMutationIds(readFileSync(join(folder, name), 'utf8')))
    .join('\n')
}

/** The argument that every field of Mutation takes beside its own. */
const clientMutationId = parse(`
type Mutation {
  field(
    """
    A name of the caller's own for this change, at most 200 characters. Sent again within a day with
    the same arguments, it answers as the first time and changes nothing.
    """
    clientMutationId: String
  ): ID
}
`)

function withClientMutationIds(text: string): string {
  if (!/^(extend )?type Mutation\b/m.test(text)) return text
  const added = readArgumentNodes(clientMutationId)
  const named = visit(parse(text), {
    FieldDefinition(node, _key, _parent, _path, ancestors) {
      const type = ancestors.at(-1) as ObjectTypeDefinitionNode | undefined
      if (type?.name?.value !== 'Mutation') return undefined
      return { ...node, arguments: [...(node.arguments ?? []), ...added] }
    },
  })
  return `${print(named)}\n`
}

function readArgumentNodes({ definitions }: DocumentNode): readonly InputValueDefinitionNode[] {
  const [type] = definitions
  if (type?.kind !== Kind.OBJECT_TYPE_DEFINITION) return []
  return type.fields?.[0]?.arguments ?? []
}

/**
 * The schema with its resolvers, guarded by permissions.
 * @throws Error for a resolver without a field, or a field of the root types without a permission.
 */
export function createSchema(
  resolvers: ResolverMap,
  text = readSchema(),
  sources?: Sources,
): GraphQLSchema {
  const schema = buildSchema(text)
  useTimestamp(schema)
  if (sources !== undefined) subscribeTo(schema, sources)
  for (const [typeName, fields] of Object.entries(resolvers)) {
    const type = schema.getType(typeName)
    if (isUnionType(type)) {
      type.resolveType = fields.__resolveType as unknown as NonNullable<typeof type.resolveType>
      continue
    }
    if (!isObjectType(type)) throw new Error(`the schema has no type ${typeName}`)
    for (const [fieldName, resolve] of Object.entries(fields)) {
      const field = type.getFields()[fieldName]
      if (field === undefined) throw new Error(`${typeName} has no field ${fieldName}`)
      field.resolve = resolve as unknown as NonNullable<typeof field.resolve>
    }
  }
  const guarded = guardFields(schema)
  assertValidSchema(guarded)
  return guarded
}

/** @throws Error for a field of `Subscription` without a source, or a source without a field. */
function subscribeTo(schema: GraphQLSchema, sources: Sources): void {
  const fields = schema.getSubscriptionType()?.getFields() ?? {}
  for (const name of new Set([...Object.keys(fields), ...Object.keys(sources)])) {
    const [field, source] = [fields[name], sources[name]]
    if (field === undefined || source === undefined) throw new Error(`no source of ${name}`)
    field.subscribe = source as unknown as NonNullable<typeof field.subscribe>
  }
}

/** Microseconds inside, ISO 8601 in answers; arguments may be either. */
export function useTimestamp(schema: GraphQLSchema): void {
  const timestamp = schema.getType('Timestamp')
  if (!isScalarType(timestamp)) throw new Error('the schema has no scalar Timestamp')
  timestamp.coerceInputValue = parseTimestamp
  timestamp.coerceOutputValue = toIso
}

function parseTimestamp(value: unknown): number {
  const isNumber = typeof value === 'number'
  const micros = typeof value === 'string' ? parseIso(value) : isNumber ? value : undefined
  if (micros === undefined || !Number.isInteger(micros)) {
    throw new GraphQLError('Timestamp must be a time with its zone, such as 2026-01-31T12:00:00Z.')
  }
  const unit = isNumber && value >= 0 ? refuseUnit(value) : undefined
  const refusal = refuseTime(micros) ?? unit
  if (refusal !== undefined) throw new GraphQLError(`Timestamp ${refusal}.`)
  return micros
}
