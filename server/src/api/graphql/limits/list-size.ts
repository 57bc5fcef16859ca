import {
  type GraphQLField,
  type GraphQLOutputType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { limits } from '../../../foundation/kernel/index.ts'

/** The argument that gives a field the length of its list, or `limit` of one that is an object. */
export type LimitArgument = { readonly name: string; readonly inner: boolean }

type Field = GraphQLField<unknown, unknown>

const known = new WeakMap<Field, LimitArgument | undefined>()

/** Undefined for a field without a limit of its own. */
export function findLimitArgument(field: Field): LimitArgument | undefined {
  if (!known.has(field)) known.set(field, findLimit(field))
  return known.get(field)
}

function findLimit({ args }: Field): LimitArgument | undefined {
  for (const { name, type } of args) {
    if (name === 'limit') return { name, inner: false }
    const input = getNullableType(type)
    if (isInputObjectType(input) && 'limit' in input.getFields()) return { name, inner: true }
  }
  return undefined
}

type Arguments = Readonly<Record<string, unknown>>

/** The limit among the arguments of a field; that without one when it is absent. */
export function limitIn(argument: LimitArgument, args: Arguments): number {
  const value = args[argument.name]
  const limit = argument.inner ? (value as Arguments | null | undefined)?.limit : value
  // A length that is out of range is refused when the field runs.
  return typeof limit === 'number' && limit >= 0 ? limit : limits.pageDefault
}

/** Things that the arguments name one by one; undefined if they name none. */
export function namedIn(args: Arguments): number | undefined {
  const lists = [args.ids, args.inputs].filter((list) => Array.isArray(list))
  return lists.length === 0 ? undefined : Math.max(...lists.map(({ length }) => length))
}

/** The length of the longest list inside an argument. */
export function longestList(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? value.length : 0
  return Math.max(own, ...Object.values(value).map(longestList))
}

export function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type)
}
