import { GraphQLError, type GraphQLSchema, isScalarType } from 'graphql'
import { refuseUnit } from '../kernel/index.ts'

/** Teaches the schema to refuse what is not microseconds. Answers go out as they are. */
export function useTimestamp(schema: GraphQLSchema): void {
  const timestamp = schema.getType('Timestamp')
  if (!isScalarType(timestamp)) throw new Error('the schema has no scalar Timestamp')
  timestamp.coerceInputValue = parseTimestamp
  // graphql-jit still asks for the older name.
  timestamp.parseValue = parseTimestamp
}

function parseTimestamp(value: unknown): number {
  const refusal = typeof value === 'number' && value >= 0 ? refuseUnit(value) : undefined
  if (refusal !== undefined) throw new GraphQLError(`Timestamp ${refusal}.`)
  if (Number.isSafeInteger(value)) return Number(value)
  throw new GraphQLError('Timestamp is a whole number of microseconds since 1970.')
}
