import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const texts: Readonly<Record<string, Json>> = {
  String: 'walk',
  Int: 1,
  Float: 1,
  Boolean: true,
  Timestamp: '2026-01-31T12:00:00Z',
}

/** A value of a type, with this id wherever it takes one; what may be left out is, but for ids. */
export function givenOf(type: GraphQLInputType, id: string, depth = 0): Json | undefined {
  if (isNonNullType(type)) return givenOf(type.ofType, id, depth) ?? {}
  if (isListType(type)) {
    const one = givenOf(type.ofType, id, depth)
    return one === undefined ? undefined : [one]
  }
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (!isInputObjectType(type)) return type.name === 'ID' ? id : (texts[type.name] ?? {})
  if (depth > 3) return undefined
  const found: { [key: string]: Json } = {}
  for (const field of Object.values(type.getFields())) {
    const isWanted = isNonNullType(field.type) || takesId(field.type)
    const value = isWanted ? givenOf(field.type, id, depth + 1) : undefined
    if (value !== undefined) found[field.name] = value
  }
  return found
}

/** Whether a value of this type names something by an id. */
export function takesId(type: GraphQLInputType, depth = 0): boolean {
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return named.name === 'ID'
  if (depth > 3) return false
  return Object.values(named.getFields()).some((field) => takesId(field.type, depth + 1))
}

type Arguments = ReadonlyMap<string, Json>

/** The calls of a field of a root type with each of these ids, each call once. */
export function callsWith(field: GraphQLField<unknown, unknown>, ids: readonly string[]) {
  const calls = ids.flatMap((id) => callsOf(field, id))
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()]
}

/** With what it needs, and with each further id alone. */
function callsOf(field: GraphQLField<unknown, unknown>, id: string) {
  const needed: Arguments = new Map(
    field.args
      .filter(({ type }) => isNonNullType(type))
      .map(({ name, type }) => [name, givenOf(type, id) ?? null]),
  )
  const further = field.args.filter(({ type }) => !isNonNullType(type) && takesId(type))
  const more = further.flatMap(({ name, type }) =>
    onesOf(type, id).map((value) => new Map([...needed, [name, value]])),
  )
  return [needed, ...more].map((given) => callOf(field, given))
}

/** Values of an argument, each with one id. */
function onesOf(type: GraphQLInputType, id: string): Json[] {
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return [givenOf(type, id) ?? null]
  return Object.values(named.getFields())
    .filter((field) => takesId(field.type))
    .map((field) => ({ [field.name]: givenOf(field.type, id) ?? null }))
    .map((one) => (isListType(type) ? [one] : one))
}

function callOf(field: GraphQLField<unknown, unknown>, given: Arguments) {
  const used = field.args.filter(({ name }) => given.has(name))
  const heads = used.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const args = used.map(({ name }) => `${name}: $${name}`).join(', ')
  const call = `${field.name}${args && `(${args})`}${selectionOf(field)}`
  const text = `${heads && `(${heads})`} { ${call} }`
  return { text, variables: Object.fromEntries(given) }
}

/** All scalars of what a field answers, and of what lies right below it. */
function selectionOf({ type }: GraphQLField<unknown, unknown>, depth = 0): string {
  const named = getNamedType(type)
  if (isUnionType(named)) return ' { __typename }'
  if (!isObjectType(named)) return ''
  const parts = Object.values(named.getFields()).flatMap((field) => {
    if (field.args.some((argument) => isNonNullType(argument.type))) return []
    const below = getNamedType(field.type)
    if (isObjectType(below) && depth === 1) return []
    return [`${field.name}${selectionOf(field, depth + 1)}`]
  })
  return ` { ${parts.length === 0 ? '__typename' : parts.join(' ')} }`
}
