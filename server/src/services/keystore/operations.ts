import type { Database } from '../../database/index.ts'
import {
  AnyValue,
  type Clock,
  defineOperations,
  EmptyObject,
  Fault,
  type Implementation,
  limits,
  type Static,
  StrictObject,
  Type,
} from '../../kernel/index.ts'
import type { ScriptValue, ServiceCall } from '../../scripting/index.ts'
import { type Change, createReads, createWriteBatcher } from './batchers.ts'
import { Args, plain } from './commands/command.ts'
import { commands } from './commands/index.ts'
import type { KeyEntry } from './entry.ts'
import { listKeys } from './store.ts'

const batchersCount = 4

const { keystoreKeyBytesMax, keystoreKeysPerCallMax, keystoreListMax } = limits

/** A key, or what stands for one. */
function keySchema(description: string) {
  const text = Type.String({
    description,
    minLength: 1,
    numberAsText: true,
    rule: 'must be a string that is not empty',
  })
  return Type.Refine(
    text,
    (key) => refuseKey(key) === undefined,
    (key) => refuseKey(key) ?? '',
  )
}

function refuseKey(key: string): string | undefined {
  if (key.includes('\0')) return 'holds a NUL'
  if (Buffer.byteLength(key) <= keystoreKeyBytesMax) return undefined
  return `is longer than ${keystoreKeyBytesMax} bytes`
}

const key = keySchema(`The key, at most ${keystoreKeyBytesMax} bytes.`)

const listArguments = StrictObject({
  match: Type.Optional(keySchema('A pattern: `*` stands for any text, `?` for one character.')),
  limit: Type.Integer({
    description: 'The most keys.',
    minimum: 1,
    maximum: keystoreListMax,
    default: keystoreListMax,
    rule: `must be 1 to ${keystoreListMax}`,
  }),
  cursor: Type.Optional(keySchema('The `cursor` of the list before.')),
})

export const keystoreOperations = defineOperations(() => ({
  get: {
    description: 'Reads the value of a key.',
    args: StrictObject({ key }),
    result: StrictObject({
      value: Type.Optional(AnyValue<ScriptValue>({ description: 'Absent if there is no value.' })),
    }),
  },
  set: {
    description: 'Stores a value, in place of the one before and of its expiry.',
    args: StrictObject({
      key,
      value: AnyValue<ScriptValue>({
        description: 'A JSON value, or bytes.',
        missing: 'is missing',
      }),
    }),
    result: EmptyObject(),
  },
  delete: {
    description: 'Deletes a key, if it is there.',
    args: StrictObject({ key }),
    result: EmptyObject(),
  },
  mdelete: {
    description: 'Deletes several keys.',
    args: StrictObject({
      keys: Type.Array(key, {
        description: 'The keys.',
        maxItems: keystoreKeysPerCallMax,
        rule: `must be a list of at most ${keystoreKeysPerCallMax}`,
      }),
    }),
    result: EmptyObject(),
  },
  list: {
    description: 'Lists keys in the order of their bytes.',
    args: listArguments,
    result: StrictObject({
      keys: Type.Array(Type.String()),
      cursor: Type.Optional(Type.String({ description: 'Present if there may be more keys.' })),
    }),
  },
  command: {
    description: 'Runs a command of Redis on a key.',
    args: StrictObject({
      key,
      command: Type.String({
        description: 'The name of the command, in any case.',
        numberAsText: true,
      }),
      args: Type.Array(AnyValue<unknown>(), {
        description: 'The arguments of the command.',
        default: [],
        rule: 'must be a list',
      }),
    }),
    result: StrictObject({
      value: Type.Optional(AnyValue<ScriptValue>({ description: 'Absent if it is nil.' })),
    }),
  },
}))

/** The operations of the keystore service. */
export function createOperations(
  database: Database,
  clock: Clock,
): Implementation<ServiceCall, typeof keystoreOperations.schemas> {
  const batchers = Array.from({ length: batchersCount }, () => createWriteBatcher(database, clock))
  const reads = createReads(database, clock)
  const change = <Value>({ solutionId }: ServiceCall, key: string, by: Change<Value>) =>
    batchers[batcherOf(solutionId)]?.change({ solutionId, key }, by)

  return {
    async get({ solutionId }, { key }) {
      const entry = await reads.add({ solutionId, key })
      return entry === undefined ? {} : { value: whole(entry) }
    },
    async set(call, { key, value }) {
      const kept = value instanceof Uint8Array ? value : plain(value)
      await change(call, key, () => ({
        after: { kind: 'string', value: kept, expiresAt: undefined },
        value: undefined,
      }))
      return {}
    },
    async delete(call, { key }) {
      await change(call, key, gone)
      return {}
    },
    async mdelete(call, { keys }) {
      await Promise.all(keys.map((key) => change(call, key, gone)))
      return {}
    },
    list: ({ solutionId }, args) => list(database, clock, solutionId, args),
    async command(call, { key, command: name, args }) {
      const command = commands.get(name.toLowerCase())
      if (command === undefined) {
        throw new Fault('invalid_argument', `${name.slice(0, 40)} is no command`)
      }
      const value = await change(call, key, (entry, nowUs) => {
        const taken = new Args(name, args)
        const outcome = command(entry, taken, nowUs)
        taken.end()
        return outcome
      })
      return value === undefined || value === null ? {} : { value }
    },
  }
}

const gone: Change<undefined> = () => ({ after: undefined, value: undefined })

/** The index of a solution's batcher: any even distribution of ids will do. */
function batcherOf(solutionId: string): number {
  let sum = 0
  for (let at = 0; at < solutionId.length; at += 1) sum += solutionId.charCodeAt(at) * (at + 1)
  return sum % batchersCount
}

type ListArguments = Static<typeof keystoreOperations.schemas.list.args>

/** Returns a page of keys; its cursor, given again, continues after the last key. */
async function list(
  database: Database,
  clock: Clock,
  solutionId: string,
  { match, limit, cursor = '' }: ListArguments,
): Promise<{ keys: string[]; cursor?: string }> {
  const keys = await listKeys(database, solutionId, clock.nowUs(), {
    pattern: match === undefined ? '%' : likeOf(match),
    after: cursor,
    limit,
  })
  const last = keys.at(-1)
  return keys.length < limit || last === undefined ? { keys } : { keys, cursor: last }
}

/** `*` is any text, `?` any character. */
function likeOf(pattern: string): string {
  return pattern
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_')
}

/** Returns the result of `get` for a key that a command wrote. */
function whole(entry: KeyEntry): ScriptValue {
  if (entry.kind === 'hash') return Object.fromEntries(entry.fields)
  if (entry.kind === 'list') return entry.items
  return entry.kind === 'set' ? [...entry.members] : entry.value
}
