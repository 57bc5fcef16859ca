import type { KeyCommand } from './command.ts'
import { expiry } from './expiry.ts'
import { hashes } from './hashes.ts'
import { lists } from './lists.ts'
import { sets } from './sets.ts'
import { strings } from './strings.ts'

/** Every command by its lower-case name. */
export const commands: ReadonlyMap<string, KeyCommand> = new Map(
  Object.entries({ ...strings, ...expiry, ...hashes, ...lists, ...sets }),
)

/** The commands that change nothing. */
export const readCommands: ReadonlySet<string> = new Set([
  'get',
  'strlen',
  'exists',
  'ttl',
  'type',
  'hget',
  'hmget',
  'hgetall',
  'hexists',
  'hkeys',
  'hvals',
  'hlen',
  'llen',
  'lindex',
  'lrange',
  'smembers',
  'sismember',
  'scard',
])
