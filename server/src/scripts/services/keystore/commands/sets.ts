import { expectKind, type KeyEntry } from '../entry.ts'
import { type KeyCommand, type KeyCommandResult, seen } from './command.ts'
import { scan } from './scan.ts'

export const sets: Readonly<Record<string, KeyCommand>> = {
  sadd(entry, args) {
    const members = new Set(getMembers(entry))
    const before = members.size
    for (const name of args.names('member')) members.add(name)
    const added = members.size - before
    return added === 0 ? seen(entry, 0) : hold(entry, members, added)
  },
  srem(entry, args) {
    const members = new Set(getMembers(entry))
    const gone = args.names('member').filter((name) => members.delete(name)).length
    return gone === 0 ? seen(entry, 0) : hold(entry, members, gone)
  },
  smembers(entry, args) {
    args.end()
    return seen(entry, [...getMembers(entry)])
  },
  sismember(entry, args) {
    const name = args.name('member')
    args.end()
    return seen(entry, getMembers(entry).has(name) ? 1 : 0)
  },
  scard(entry, args) {
    args.end()
    return seen(entry, getMembers(entry).size)
  },
  sscan(entry, args) {
    const { names, cursor } = scan([...getMembers(entry)], args)
    return seen(entry, [cursor, names])
  },
  /** The oldest member, which a set may choose as well as another. */
  srandmember(entry, args) {
    args.end()
    return seen(entry, [...getMembers(entry)][0])
  },
  /** The oldest member: which one it is does not matter to a set, and so no chance is needed. */
  spop(entry, args) {
    args.end()
    const [first] = getMembers(entry)
    if (first === undefined) return seen(entry, undefined)
    const members = new Set(getMembers(entry))
    members.delete(first)
    return hold(entry, members, first)
  },
}

function getMembers(entry: KeyEntry | undefined): ReadonlySet<string> {
  return expectKind(entry, 'set')?.members ?? new Set()
}

/** A set without members is none. */
function hold(
  entry: KeyEntry | undefined,
  members: ReadonlySet<string>,
  value: number | string,
): KeyCommandResult {
  if (members.size === 0) return { after: undefined, value }
  return { after: { kind: 'set', members, expiresAt: entry?.expiresAt }, value }
}
