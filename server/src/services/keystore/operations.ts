import type { Database } from '../../database/index.ts'
import { type Clock, Fault, isJsonObject, limits, namedArguments } from '../../kernel/index.ts'
import type { Operation, ScriptValue, ServiceCall } from '../../scripting/index.ts'
import { Args, asKey, plain } from './args.ts'
import { commands } from './commands/index.ts'
import type { Entry } from './entry.ts'
import { createReads } from './reads.ts'
import { listKeys } from './store.ts'
import { type Change, createWriteBatcher } from './write-batcher.ts'

const lanesCount = 4

/** The operations of the keystore service. */
export function createOperations(
  database: Database,
  clock: Clock,
): Readonly<Record<string, Operation>> {
  const lanes = Array.from({ length: lanesCount }, () => createWriteBatcher(database, clock))
  const reads = createReads(database, clock)
  const change = <Value>({ solutionId }: ServiceCall, key: string, by: Change<Value>) =>
    lanes[laneOf(solutionId)]?.change({ solutionId, key }, by)

  return {
    async get({ solutionId }, args) {
      const entry = await reads.add({ solutionId, key: asKey(namedArguments(args, ['key']).key) })
      return entry === undefined ? {} : { value: whole(entry) }
    },
    async set(call, args) {
      const { key, value } = namedArguments(args, ['key', 'value'])
      const kept = asValue(value)
      await change(call, asKey(key), () => ({
        after: { kind: 'string', value: kept, expiresAt: undefined },
        value: undefined,
      }))
      return {}
    },
    async delete(call, args) {
      await change(call, asKey(namedArguments(args, ['key']).key), gone)
      return {}
    },
    async mdelete(call, args) {
      const { keys } = namedArguments(args, ['keys'])
      if (!Array.isArray(keys) || keys.length > limits.keystoreKeysPerCallMax) {
        throw new Fault(
          'invalid_argument',
          `keys must be a list of at most ${limits.keystoreKeysPerCallMax}`,
        )
      }
      const names = keys.map((key, index) => asKey(key, `keys[${index + 1}]`))
      await Promise.all(names.map((name) => change(call, name, gone)))
      return {}
    },
    list: ({ solutionId }, args) => list(database, clock, solutionId, args),
    async command(call, args) {
      const { key, command: name, args: given } = namedArguments(args, ['key', 'command', 'args'])
      const command = commands.get(String(name).toLowerCase())
      if (command === undefined) {
        throw new Fault('invalid_argument', `${String(name).slice(0, 40)} is no command`)
      }
      const values = given === undefined || given === null ? [] : asList(given)
      const value = await change(call, asKey(key), (entry, nowUs) => {
        const taken = new Args(String(name), values)
        const outcome = command(entry, taken, nowUs)
        taken.end()
        return outcome
      })
      return value === undefined || value === null ? {} : { value }
    },
  }
}

const gone: Change<undefined> = () => ({ after: undefined, value: undefined })

/** Any spreading of ids does. */
function laneOf(solutionId: string): number {
  let sum = 0
  for (let at = 0; at < solutionId.length; at += 1) sum += solutionId.charCodeAt(at) * (at + 1)
  return sum % lanesCount
}

/** `{keys, cursor?}`: the cursor, given again, goes on behind the last key. */
async function list(
  database: Database,
  clock: Clock,
  solutionId: string,
  args: ScriptValue,
): Promise<ScriptValue> {
  const {
    match,
    limit = limits.keystoreListMax,
    cursor,
  } = namedArguments(args, ['match', 'limit', 'cursor'])
  if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > limits.keystoreListMax) {
    throw new Fault('invalid_argument', `limit must be 1 to ${limits.keystoreListMax}`)
  }
  const keys = await listKeys(database, solutionId, clock.nowUs(), {
    pattern: match === undefined ? '%' : likeOf(asKey(match, 'match')),
    after: cursor === undefined ? '' : asKey(cursor, 'cursor'),
    limit: Number(limit),
  })
  const last = keys.at(-1)
  return keys.length < Number(limit) || last === undefined ? { keys } : { keys, cursor: last }
}

/** `*` is any text, `?` any character. */
function likeOf(pattern: string): string {
  return pattern
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_')
}

/** Returns the result of `get` for a key that a command wrote. */
function whole(entry: Entry): ScriptValue {
  if (entry.kind === 'hash') return Object.fromEntries(entry.fields)
  if (entry.kind === 'list') return entry.items
  return entry.kind === 'set' ? [...entry.members] : entry.value
}

function asValue(value: unknown) {
  if (value === undefined || value === null) throw new Fault('invalid_argument', 'value is missing')
  return value instanceof Uint8Array ? value : plain(value)
}

function asList(args: unknown): readonly unknown[] {
  if (Array.isArray(args)) return args
  // An empty table of a script comes as an object.
  if (isJsonObject(args) && Object.keys(args).length === 0) return []
  throw new Fault('invalid_argument', 'args must be a list')
}
