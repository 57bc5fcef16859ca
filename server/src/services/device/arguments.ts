import { Fault, isJsonObject, limits, refuseOtherNames, tableField } from '../../kernel/index.ts'
import type { ListInput, WhitelistInput } from '../../provisioning/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'

/** The arguments of a call by name; provisioning checks what they say. */
export type Fields = Readonly<Record<string, unknown>>

/** @throws Fault invalid_argument if there are arguments, and they have no names. */
export function take(args: ScriptValue): Fields {
  if (args === undefined || args === null) return {}
  // An empty table of a script may come as a list.
  if (Array.isArray(args) && args.length === 0) return {}
  return tableField('the argument', args)
}

/**
 * The identity that is spoken of.
 * @param others names that may stand beside it; left out: any.
 * @throws Fault invalid_argument
 */
export function identityIn(args: Fields, others?: readonly string[]): string {
  if (others !== undefined) refuseOtherNames(args, ['identity', ...others])
  const { identity } = args
  const text = Number.isSafeInteger(identity) ? String(identity) : identity
  if (typeof text !== 'string' || text === '') throw invalid('identity must be given, a string')
  if (text.includes('\0') || !text.isWellFormed() || text.length > limits.settingCharsMax) {
    throw invalid('identity is none that there can be')
  }
  return text
}

/** Parses the values to set, by alias. Tables are ignored, as existing programs expect. */
export function valuesIn({ identity: _, ...values }: Fields): Fields {
  const isTable = (value: unknown) =>
    typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isTable(value)))
}

/** @throws Fault invalid_argument for a name that a list cannot be asked by. */
export function parseList(args: Fields): ListInput {
  refuseOtherNames(args, ['identity', 'tag', 'status', 'limit', 'before', 'ipaddress'])
  const { tag, identity, before, ...rest } = args
  return {
    ...rest,
    ...(identity !== undefined && { identity: textOf(identity) }),
    ...(before !== undefined && { before: textOf(before) }),
    ...(tag !== undefined && { tag: tagOf(tag) }),
  }
}

type Named = { readonly identity: string; readonly input: WhitelistInput }

/** @throws Fault invalid_argument */
export function parseNew(args: Fields): Named {
  return parseIdentity(args, ['auth', 'locked', 'tags'])
}

/** @throws Fault invalid_argument */
export function parseChange(args: Fields): Named {
  return parseIdentity(args, ['auth', 'locked', 'reprovision', 'tags'])
}

function parseIdentity(args: Fields, known: readonly string[]): Named {
  const identity = identityIn(args, known)
  const { identity: _, auth = {}, tags, ...rest } = args
  if (!isJsonObject(auth)) throw invalid('auth must be a table')
  refuseOtherNames(auth, ['expire', 'type', 'key'])
  const { expire, type, key } = auth
  if (type === 'csr') throw invalid('auth.type csr is only for the management API')
  return {
    identity,
    input: {
      ...rest,
      ...(expire !== undefined && { expire }),
      ...(type !== undefined && { authType: type }),
      ...(key !== undefined && { certificate: key }),
      ...(tags !== undefined && { tags: listOf(tags).map((tag) => whole(tagOf(tag))) }),
    },
  }
}

type TagsNamed = { readonly identity: string; readonly tags: readonly unknown[] }

/** One tag by `name` and `value`, or as `tag`; several as `tags`. @throws Fault invalid_argument */
export function parseTags(kind: 'add' | 'remove', args: Fields): TagsNamed {
  const identity = identityIn(args, ['name', 'value', 'tag', 'tags'])
  const { tag, tags, name, value } = args
  const given = [
    ...(tags === undefined ? [] : listOf(tags)),
    ...(tag === undefined ? [] : [tag]),
    ...(name === undefined ? [] : [value === undefined ? { name } : { name, value }]),
  ].map(tagOf)
  if (given.length === 0) throw invalid('a name, tag or tags must be given')
  return { identity, tags: kind === 'add' ? given.map(whole) : given }
}

/** A tag may be said by its name alone. */
function tagOf(tag: unknown): Fields {
  if (!isJsonObject(tag)) return { name: textOf(tag) }
  const { name, value, ...more } = tag
  const given = value === undefined || value === null ? {} : { value: textOf(value) }
  return { ...more, name: textOf(name), ...given }
}

function whole(tag: Fields): Fields {
  return { value: '', ...tag }
}

/** A number where a text is wanted is taken as its text. */
function textOf(value: unknown): unknown {
  return Number.isFinite(value) ? String(value) : value
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (isJsonObject(value) && Object.keys(value).length === 0) return []
  throw invalid('tags must be a list')
}

function invalid(sentence: string): Fault {
  return new Fault('invalid_argument', sentence)
}
