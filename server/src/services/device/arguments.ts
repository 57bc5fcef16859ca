import { Fault, isJsonObject, omitUndefined, type Static } from '../../kernel/index.ts'
import type { ListInput, WhitelistInput } from '../../provisioning/index.ts'
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

export function listInput(args: Static<Schemas['listIdentities']['args']>): ListInput {
  const { tag, ...rest } = args
  return omitUndefined({ ...rest, tag: tag === undefined ? undefined : tagOf(tag) })
}

/** @throws Fault invalid_argument */
export function whitelistInput(args: Static<Schemas['setIdentity']['args']>): WhitelistInput {
  const { identity: _, auth, tags, ...rest } = args
  return omitUndefined({
    ...rest,
    expire: auth.expire,
    authType: auth.type,
    certificate: auth.key,
    tags: tags?.map((tag) => whole(tagOf(tag))),
  })
}

/** One tag by `name` and `value`, or as `tag`; several as `tags`. @throws Fault invalid_argument */
export function changedTags(
  kind: 'add' | 'remove',
  { tag, tags = [], name, value }: Static<Schemas['addIdentityTag']['args']>,
): readonly Fields[] {
  const given = [
    ...tags,
    ...(tag === undefined ? [] : [tag]),
    ...(name === undefined ? [] : [value === undefined ? { name } : { name, value }]),
  ].map(tagOf)
  if (given.length === 0) {
    throw new Fault('invalid_argument', 'a name, tag or tags must be given')
  }
  return kind === 'add' ? given.map(whole) : given
}

/** A tag may be given by its name alone. */
function tagOf(tag: unknown): Fields {
  if (!isJsonObject(tag)) return { name: textOf(tag) }
  const { name, value, ...more } = tag
  const given = value === undefined || value === null ? {} : { value: textOf(value) }
  return { ...more, name: textOf(name), ...given }
}

function whole(tag: Fields): Fields {
  return { value: '', ...tag }
}

/** A number in place of a text is taken as its text. */
function textOf(value: unknown): unknown {
  return Number.isFinite(value) ? String(value) : value
}
