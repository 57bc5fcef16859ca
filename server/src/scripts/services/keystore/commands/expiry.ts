import { Fault } from '../../../../foundation/kernel/index.ts'
import type { KeyEntry } from '../entry.ts'
import { type Args, type KeyCommand, type KeyCommandResult, seen } from './command.ts'

const secondUs = 1_000_000
const millisecondUs = 1_000

/** The results of `ttl` for a missing key, and for one that does not expire. */
const missing = -2
const stays = -1

export const expiry: Readonly<Record<string, KeyCommand>> = {
  exists(entry, args) {
    args.end()
    return seen(entry, entry === undefined ? 0 : 1)
  },
  expire: (entry, args, now) => expireAt(entry, now + readTime(args, 'seconds', secondUs), now),
  pexpire: (entry, args, now) =>
    expireAt(entry, now + readTime(args, 'milliseconds', millisecondUs), now),
  expireat: (entry, args, now) => expireAt(entry, readTime(args, 'timestamp', secondUs), now),
  pexpireat: (entry, args, now) => expireAt(entry, readTime(args, 'timestamp', millisecondUs), now),
  ttl: (entry, args, now) => leftTime(entry, args, now, secondUs),
  pttl: (entry, args, now) => leftTime(entry, args, now, millisecondUs),
  persist(entry, args) {
    args.end()
    if (entry?.expiresAt === undefined) return seen(entry, 0)
    return { after: { ...entry, expiresAt: undefined }, value: 1 }
  },
  del(entry, args) {
    args.end()
    return { after: undefined, value: entry === undefined ? 0 : 1 }
  },
  type(entry, args) {
    args.end()
    return seen(entry, entry?.kind ?? 'none')
  },
}

/** The one argument that there is, in microseconds. */
function readTime(args: Args, what: string, unitUs: number): number {
  const time = args.integer(what) * unitUs
  args.end()
  if (!Number.isSafeInteger(time * 2)) throw new Fault('invalid_argument', `${what}: too far`)
  return time
}

function expireAt(entry: KeyEntry | undefined, expiresAt: number, now: number): KeyCommandResult {
  if (entry === undefined) return seen(entry, 0)
  return { after: expiresAt > now ? { ...entry, expiresAt } : undefined, value: 1 }
}

function leftTime(
  entry: KeyEntry | undefined,
  args: Args,
  now: number,
  unitUs: number,
): KeyCommandResult {
  args.end()
  if (entry === undefined) return seen(entry, missing)
  if (entry.expiresAt === undefined) return seen(entry, stays)
  return seen(entry, Math.ceil((entry.expiresAt - now) / unitUs))
}
