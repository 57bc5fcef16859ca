import type {
  GivenCredential,
  ListInput,
  ListMore,
  Tag,
  WhitelistInput,
} from '../../../devices/provisioning/index.ts'
import {
  Fault,
  invalidField,
  isJsonObject,
  omitUndefined,
  type Static,
} from '../../../foundation/kernel/index.ts'
import type { deviceOperations } from './operations.ts'

/** Fields of a call; provisioning checks their values. */
type Fields = Readonly<Record<string, unknown>>

type Schemas = typeof deviceOperations.schemas

/** Returns the values to set, by alias. Tables are ignored, as existing programs expect. */
export function valuesIn(values: Fields): Fields {
  const isTable = (value: unknown) =>
    typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isTable(value)))
}

type Filters = Static<Schemas['countIdentities']['args']>

/** The filters of a list. @throws Fault invalid_argument */
export function filterInput({ identity, tag, tags, ...rest }: Filters): {
  readonly input: ListInput
  readonly more: ListMore
} {
  const wanted = [...tagList(tag), ...tagList(tags)].map(tagFilter)
  return {
    input: omitUndefined(rest),
    more: omitUndefined({ pattern: identity, tags: wanted }),
  }
}

/** @throws Fault invalid_argument */
export function listInput({
  limit,
  offset,
  order,
  before,
  ...filters
}: Static<Schemas['listIdentities']['args']>): {
  readonly input: ListInput
  readonly more: ListMore
} {
  const { input, more } = filterInput(filters)
  return {
    input: omitUndefined({ ...input, before }),
    more: omitUndefined({ ...more, limit, offset, order: order?.map(parseOrder) }),
  }
}

/** @throws Fault invalid_argument */
function parseOrder(text: string): NonNullable<ListMore['order']>[number] {
  const [, minus, by, direction] = /^(-?)(identity|lastseen)(?:[: ](asc|desc))?$/i.exec(text) ?? []
  if (by === undefined) throw invalidField('order', 'can only be identity or lastseen')
  const isDescending = (minus === '-') !== (direction?.toLowerCase() === 'desc')
  return { by: by.toLowerCase() === 'identity' ? 'identity' : 'lastseen', isDescending }
}

/** Reads a tag, or a list of them. */
function tagList(given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return []
  return Array.isArray(given) ? given : [given]
}

/** @throws Fault invalid_argument */
function tagFilter(given: unknown): { name: string; value?: string } {
  const { name, value, ...more } = parseTag(given)
  const [other] = Object.keys(more)
  if (other !== undefined) throw invalidField('tag', `has no field ${other.slice(0, 40)}`)
  if (typeof name !== 'string' || name === '') throw invalidField('tag.name', 'must be a string')
  if (value === undefined) return { name }
  if (typeof value !== 'string') throw invalidField('tag.value', 'must be a string')
  return { name, value }
}

/** @throws Fault invalid_argument */
export function whitelistInput(args: Static<Schemas['setIdentity']['args']>): WhitelistInput {
  const { identity: _, tags, ...rest } = args
  // Provisioning checks their values.
  const whitelisted = tags?.map((tag) => whole(parseTag(tag)) as Tag)
  return omitUndefined({ ...rest, tags: whitelisted })
}

/** A credential of a new device; undefined: it is to activate itself. */
export function readCredential({
  auth: { type, key },
}: Pick<Static<Schemas['addIdentity']['args']>, 'auth'>): GivenCredential | undefined {
  if (key === undefined || (type !== 'token' && type !== 'password')) return undefined
  return { type, key }
}

/**
 * Reads a tag by `name` and `value`, or as `tag`; several as `tags`.
 * @throws Fault invalid_argument
 */
export function changedTags(
  kind: 'add' | 'remove',
  { tag, tags = [], name, value }: Static<Schemas['removeIdentityTag']['args']>,
): readonly Fields[] {
  const given = [
    ...tags,
    ...(tag === undefined ? [] : [tag]),
    ...(name === undefined ? [] : namedTags(kind, name, value)),
  ].map(parseTag)
  if (given.length === 0) {
    throw new Fault('invalid_argument', 'a name, tag or tags must be given')
  }
  return kind === 'add' ? given.map(whole) : given
}

/** To be removed are also the values between commas, beside the value as it stands. */
function namedTags(kind: 'add' | 'remove', name: string, value: string | undefined): Fields[] {
  if (value === undefined) return [{ name }]
  const others = kind === 'remove' && value.includes(',') ? value.split(',') : []
  return [value, ...others.map((one) => one.trim())].map((one) => ({ name, value: one }))
}

/** A tag may be given by its name alone. */
function parseTag(tag: unknown): Fields {
  if (!isJsonObject(tag)) return { name: toText(tag) }
  const { name, value, ...more } = tag
  const given = value === undefined || value === null ? {} : { value: toText(value) }
  return { ...more, name: toText(name), ...given }
}

function whole(tag: Fields): Fields {
  return { value: '', ...tag }
}

/** A number in place of a text is taken as its text. */
function toText(value: unknown): unknown {
  return Number.isFinite(value) ? String(value) : value
}
