import type { Database } from '../../../foundation/database/index.ts'
import {
  AnyValue,
  type Clock,
  defineOperations,
  EmptyObject,
  Fault,
  type Implementation,
  isJsonObject,
  type Static,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { ScriptValue, ServiceCall } from '../../scripting/index.ts'
import { type Change, createReads, createWriteBatcher } from './batchers.ts'
import { Args, plain } from './commands/command.ts'
import { commands, readCommands } from './commands/index.ts'
import type { KeyEntry } from './entry.ts'
import { keystoreLimits } from './limits.ts'
import { listKeys } from './store.ts'

/** A key of the keystore, in UTF-8. */
const keystoreKeyBytesMax = 1_024
/** Keys in one `mdelete` of the keystore. The schema of an operation has it. */
const keystoreKeysPerCallMax = 1_000

const batchersCount = 4

const { keystoreListMax } = keystoreLimits

/** A key, or what stands for one. */
function keySchema(description: string, bytesMax: number = keystoreKeyBytesMax) {
  const text = Type.String({
    description,
    minLength: 1,
    numberAsText: true,
    rule: 'must be a string that is not empty',
  })
  return Type.Refine(
    text,
    (key) => refuseKey(key, bytesMax) === undefined,
    (key) => refuseKey(key, bytesMax) ?? '',
  )
}

function refuseKey(key: string, bytesMax: number): string | undefined {
  if (key.includes('\0')) return 'holds a NUL'
  if (Buffer.byteLength(key) <= bytesMax) return undefined
  return `is longer than ${bytesMax} bytes`
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
  cursor: Type.Optional(
    keySchema('The `cursor` of the list before; `"0"` is the start.', keystoreKeyBytesMax + 1),
  ),
})

export const keystoreOperations = defineOperations(() => ({
  get: {
    description: 'Reads the value of a key.',
    reads: true,
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
    result: StrictObject({ removed: Type.Integer({ description: 'How many there were.' }) }),
  },
  list: {
    description: 'Lists keys in the order of their bytes.',
    reads: true,
    args: listArguments,
    result: StrictObject({
      keys: Type.Array(Type.String()),
      cursor: Type.String({ description: 'Where the list goes on; `"0"` after its end.' }),
    }),
  },
  command: {
    description: 'Runs a command of Redis on a key.',
    reads: (args) => isJsonObject(args) && readCommands.has(String(args.command).toLowerCase()),
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
    batchers[chooseBatcher(solutionId)]?.change({ solutionId, key }, by)

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
      const removed = await Promise.all(keys.map((key) => change(call, key, removedOne)))
      return { removed: removed.reduce<number>((sum, one) => sum + (one ?? 0), 0) }
    },
    list: ({ solutionId }, args) => list(database, clock, solutionId, args),
    async command(call, { key, command: name, args }) {
      const command = commands.get(name.toLowerCase())
      if (command === undefined) {
        throw new Fault('invalid_argument', `${name.slice(0, 40)} is not a command`)
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
const removedOne: Change<number> = (entry) => ({
  after: undefined,
  value: entry === undefined ? 0 : 1,
})

/** The index of a solution's batcher: any even distribution of ids will do. */
function chooseBatcher(solutionId: string): number {
  let sum = 0
  for (let at = 0; at < solutionId.length; at += 1) sum += solutionId.charCodeAt(at) * (at + 1)
  return sum % batchersCount
}

type ListArguments = Static<typeof keystoreOperations.schemas.list.args>

/** The cursor of the start, and of the end. */
const scanEnd = '0'
/** A cursor that goes on behind a key begins with this, so that it is never `"0"`. */
const behind = '>'

/** Returns a page of keys; its cursor, given again, continues after the last key. */
async function list(
  database: Database,
  clock: Clock,
  solutionId: string,
  { match, limit, cursor = scanEnd }: ListArguments,
): Promise<{ keys: string[]; cursor: string }> {
  const keys = await listKeys(database, solutionId, clock.nowUs(), {
    pattern: match === undefined ? '%' : toLikePattern(match),
    after: parseAfter(cursor),
    limit,
  })
  const last = keys.at(-1)
  const isEnd = keys.length < limit || last === undefined
  return { keys, cursor: isEnd ? scanEnd : `${behind}${last}` }
}

/** @throws Fault invalid_argument for what is no cursor of a list. */
function parseAfter(cursor: string): string {
  if (cursor === scanEnd) return ''
  if (cursor.startsWith(behind)) return cursor.slice(behind.length)
  throw new Fault('invalid_argument', 'cursor must be that of the list before, or "0"')
}

/** `*` is any text, `?` any character. */
function toLikePattern(pattern: string): string {
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
