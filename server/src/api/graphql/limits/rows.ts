import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
} from 'graphql'
import { JsonText } from '../execution/list-plan.ts'
import type { Work } from './work.ts'

/** Counts the rows of what a field has answered. @throws Fault `too_complex`. */
export type RowCounter = (found: unknown, work: Work) => void

/**
 * Returns what counts the rows of a field: those of its list, and of lists that are properties of
 * its rows, since no resolver counts them. Undefined if it has none.
 */
export function rowCounter(
  type: GraphQLOutputType,
  above: readonly GraphQLObjectType[] = [],
): RowCounter | undefined {
  const inner = getNamedType(type)
  if (!isCompositeType(inner)) return undefined
  const within = isObjectType(inner) ? listProperties(inner, above) : []
  const width = isObjectType(inner) ? fieldsWithin(inner) : Number.POSITIVE_INFINITY
  const countWithin = (row: unknown, work: Work) => {
    for (const { name, counter } of within) counter((row as Row | null)?.[name], work)
  }
  if (!isListType(getNullableType(type))) return within.length === 0 ? undefined : countWithin
  return (found, work) => {
    if (found instanceof JsonText) work.countRows(found.rows, width)
    if (!Array.isArray(found)) return
    work.countRows(found.length, width)
    if (within.length > 0) for (const row of found) countWithin(row, work)
  }
}

type Row = Readonly<Record<string, unknown>>

function listProperties(type: GraphQLObjectType, above: readonly GraphQLObjectType[]) {
  if (above.includes(type)) return []
  return Object.values(type.getFields()).flatMap(({ name, resolve, type: of }) => {
    const isCounted = resolve === undefined && isListType(getNullableType(of))
    const counter = isCounted ? rowCounter(of, [...above, type]) : undefined
    return counter === undefined ? [] : [{ name, counter }]
  })
}

/** The most fields that an answer has of a row; infinite if they do not end. */
function fieldsWithin(type: GraphQLObjectType, above: readonly GraphQLObjectType[] = []): number {
  let sum = 0
  for (const { type: of } of Object.values(type.getFields())) {
    const inner = getNamedType(of)
    sum += 1
    if (!isCompositeType(inner)) continue
    const isEndless = isListType(getNullableType(of)) || !isObjectType(inner)
    if (isEndless || above.includes(inner)) return Number.POSITIVE_INFINITY
    sum += fieldsWithin(inner, [...above, type])
  }
  return sum
}
