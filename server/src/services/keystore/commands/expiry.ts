import { Fault } from '../../../kernel/index.ts'
import { type KeyCommand, seen } from './command.ts'

const secondUs = 1_000_000

/** The results of `ttl` for a missing key, and for one that does not expire. */
const missing = -2
const stays = -1

export const expiry: Readonly<Record<string, KeyCommand>> = {
  exists(entry, args) {
    args.end()
    return seen(entry, entry === undefined ? 0 : 1)
  },
  expire(entry, args, now) {
    const seconds = args.integer('seconds')
    args.end()
    const expiresAt = now + seconds * secondUs
    if (!Number.isSafeInteger(expiresAt)) throw new Fault('invalid_argument', 'expire: too far')
    if (entry === undefined) return seen(entry, 0)
    return { after: seconds > 0 ? { ...entry, expiresAt } : undefined, value: 1 }
  },
  ttl(entry, args, now) {
    args.end()
    if (entry === undefined) return seen(entry, missing)
    if (entry.expiresAt === undefined) return seen(entry, stays)
    return seen(entry, Math.ceil((entry.expiresAt - now) / secondUs))
  },
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
