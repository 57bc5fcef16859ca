import { Fault, type Json } from '../../../../foundation/kernel/index.ts'
import { expectKind, type KeyEntry } from '../entry.ts'
import { asInteger, asNumber, type KeyCommand, type KeyCommandResult, seen } from './command.ts'
import { scan } from './scan.ts'

export const hashes: Readonly<Record<string, KeyCommand>> = {
  hset(entry, args) {
    const fields = new Map(getFields(entry))
    const before = fields.size
    do {
      fields.set(args.name('field'), args.value('value'))
    } while (args.left > 0)
    return hold(entry, fields, fields.size - before)
  },
  hmset(entry, args) {
    const fields = new Map(getFields(entry))
    do {
      fields.set(args.name('field'), args.value('value'))
    } while (args.left > 0)
    return hold(entry, fields, 'OK')
  },
  hscan(entry, args) {
    const { names, cursor } = scan([...getFields(entry).keys()], args)
    const fields = getFields(entry)
    return seen(entry, [cursor, names.flatMap((name) => [name, fields.get(name) ?? null])])
  },
  hstrlen(entry, args) {
    const field = args.name('field')
    args.end()
    const value = getFields(entry).get(field)
    if (value === undefined) return seen(entry, 0)
    return seen(entry, Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value)))
  },
  hsetnx(entry, args) {
    const field = args.name('field')
    const value = args.value('value')
    args.end()
    if (getFields(entry).has(field)) return seen(entry, 0)
    return hold(entry, new Map(getFields(entry)).set(field, value), 1)
  },
  hget(entry, args) {
    const field = args.name('field')
    args.end()
    return seen(entry, getFields(entry).get(field))
  },
  hmget(entry, args) {
    const fields = getFields(entry)
    return seen(
      entry,
      args.names('field').map((field) => fields.get(field)),
    )
  },
  hgetall(entry, args) {
    args.end()
    return seen(entry, Object.fromEntries(getFields(entry)))
  },
  hdel(entry, args) {
    const fields = new Map(getFields(entry))
    const gone = args.names('field').filter((field) => fields.delete(field))
    return gone.length === 0 ? seen(entry, 0) : hold(entry, fields, gone.length)
  },
  hexists(entry, args) {
    const field = args.name('field')
    args.end()
    return seen(entry, getFields(entry).has(field) ? 1 : 0)
  },
  hkeys(entry, args) {
    args.end()
    return seen(entry, [...getFields(entry).keys()])
  },
  hvals(entry, args) {
    args.end()
    return seen(entry, [...getFields(entry).values()])
  },
  hlen(entry, args) {
    args.end()
    return seen(entry, getFields(entry).size)
  },
  hincrby(entry, args) {
    const field = args.name('field')
    const by = args.integer('increment')
    args.end()
    const value = (asInteger(getFields(entry).get(field) ?? 0) ?? Number.NaN) + by
    if (!Number.isSafeInteger(value)) {
      throw new Fault('invalid_argument', 'the field is not a whole number, or is out of range')
    }
    return hold(entry, new Map(getFields(entry)).set(field, value), value)
  },
  hincrbyfloat(entry, args) {
    const field = args.name('field')
    const by = args.number('increment')
    args.end()
    const value = (asNumber(getFields(entry).get(field) ?? 0) ?? Number.NaN) + by
    if (!Number.isFinite(value)) throw new Fault('invalid_argument', 'the field is not a number')
    return hold(entry, new Map(getFields(entry)).set(field, value), value)
  },
}

function getFields(entry: KeyEntry | undefined): ReadonlyMap<string, Json> {
  return expectKind(entry, 'hash')?.fields ?? new Map()
}

/** A hash without fields is none. */
function hold(
  entry: KeyEntry | undefined,
  fields: ReadonlyMap<string, Json>,
  value: Json,
): KeyCommandResult {
  if (fields.size === 0) return { after: undefined, value }
  return { after: { kind: 'hash', fields, expiresAt: entry?.expiresAt }, value }
}
