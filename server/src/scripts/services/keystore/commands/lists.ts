import { Fault, type Json } from '../../../../foundation/kernel/index.ts'
import { expectKind, type KeyEntry } from '../entry.ts'
import { type Args, type KeyCommand, type KeyCommandResult, seen } from './command.ts'

export const lists: Readonly<Record<string, KeyCommand>> = {
  lpush(entry, args) {
    const items = [...args.values('value').reverse(), ...getItems(entry)]
    return hold(entry, items, items.length)
  },
  rpush(entry, args) {
    const items = [...getItems(entry), ...args.values('value')]
    return hold(entry, items, items.length)
  },
  lpushx: (entry, args) => pushPresent(entry, args, 'left'),
  rpushx: (entry, args) => pushPresent(entry, args, 'right'),
  linsert(entry, args) {
    const where = args.name('place').toUpperCase()
    if (where !== 'BEFORE' && where !== 'AFTER') {
      throw new Fault('invalid_argument', 'linsert: the place must be BEFORE or AFTER')
    }
    const pivot = JSON.stringify(args.value('pivot'))
    const value = args.value('value')
    args.end()
    const items = getItems(entry)
    if (items.length === 0) return seen(entry, 0)
    const at = items.findIndex((item) => JSON.stringify(item) === pivot)
    if (at < 0) return seen(entry, -1)
    return hold(entry, items.toSpliced(where === 'AFTER' ? at + 1 : at, 0, value), items.length + 1)
  },
  lpop(entry, args) {
    args.end()
    const [first, ...others] = getItems(entry)
    return first === undefined ? seen(entry, undefined) : hold(entry, others, first)
  },
  rpop(entry, args) {
    args.end()
    const items = getItems(entry)
    const last = items.at(-1)
    return last === undefined ? seen(entry, undefined) : hold(entry, items.slice(0, -1), last)
  },
  llen(entry, args) {
    args.end()
    return seen(entry, getItems(entry).length)
  },
  lindex(entry, args) {
    const index = args.integer('index')
    args.end()
    return seen(entry, getItems(entry).at(index))
  },
  lrange(entry, args) {
    const range = [args.integer('start'), args.integer('stop')] as const
    args.end()
    return seen(entry, within(getItems(entry), range))
  },
  ltrim(entry, args) {
    const range = [args.integer('start'), args.integer('stop')] as const
    args.end()
    return entry === undefined
      ? seen(entry, 'OK')
      : hold(entry, within(getItems(entry), range), 'OK')
  },
  lset(entry, args) {
    const index = args.integer('index')
    const value = args.value('value')
    args.end()
    const items = getItems(entry)
    const at = index < 0 ? items.length + index : index
    if (at < 0 || at >= items.length) {
      throw new Fault('invalid_argument', 'lset: the list has no such index')
    }
    return hold(entry, items.with(at, value), 'OK')
  },
  lrem(entry, args) {
    const count = args.integer('count')
    const value = JSON.stringify(args.value('value'))
    args.end()
    const items = getItems(entry)
    const walked = count < 0 ? items.toReversed() : items
    let left = count === 0 ? Number.POSITIVE_INFINITY : Math.abs(count)
    const kept = walked.filter((item) => left === 0 || JSON.stringify(item) !== value || !left--)
    const gone = items.length - kept.length
    return gone === 0 ? seen(entry, 0) : hold(entry, count < 0 ? kept.reverse() : kept, gone)
  },
}

/** A push onto a list that is there; else nothing is pushed. */
function pushPresent(entry: KeyEntry | undefined, args: Args, side: 'left' | 'right') {
  const values = args.values('value')
  const items = getItems(entry)
  if (items.length === 0) return seen(entry, 0)
  const all = side === 'left' ? [...values.reverse(), ...items] : [...items, ...values]
  return hold(entry, all, all.length)
}

function getItems(entry: KeyEntry | undefined): readonly Json[] {
  return expectKind(entry, 'list')?.items ?? []
}

/** Both ends are in it; below 0 counts from the end. */
function within(items: readonly Json[], [start, stop]: readonly [number, number]): Json[] {
  const from = start < 0 ? Math.max(0, items.length + start) : start
  const to = stop < 0 ? items.length + stop : stop
  return items.slice(from, Math.max(from, to + 1))
}

/** A list without items is none. */
function hold(entry: KeyEntry | undefined, items: readonly Json[], value: Json): KeyCommandResult {
  if (items.length === 0) return { after: undefined, value }
  return { after: { kind: 'list', items, expiresAt: entry?.expiresAt }, value }
}
