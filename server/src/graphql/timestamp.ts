import { GraphQLError, type GraphQLSchema, isScalarType } from 'graphql'

/** Teaches the schema to refuse what is not microseconds. Answers go out as they are. */
export function useTimestamp(schema: GraphQLSchema): void {
  const timestamp = schema.getType('Timestamp')
  if (!isScalarType(timestamp)) throw new Error('the schema has no scalar Timestamp')
  timestamp.coerceInputValue = parseTimestamp
  // graphql-jit still asks for the older name.
  timestamp.parseValue = parseTimestamp
}

function parseTimestamp(value: unknown): number {
  if (Number.isSafeInteger(value)) return Number(value)
  throw new GraphQLError('Timestamp is a whole number of microseconds since 1970.')
}
