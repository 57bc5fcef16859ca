import type { Database, Transaction } from '../../../foundation/database/index.ts'
import {
  type Clock,
  createBatcher,
  Fault,
  limits,
  type Outcome,
} from '../../../foundation/kernel/index.ts'
import { type KeyEntry, type KeyRow, toRow } from './entry.ts'
import {
  addToCounts,
  deleteEntries,
  lockSolutions,
  type Name,
  readEntries,
  writeEntries,
} from './store.ts'

/**
 * The value of one key of the keystore, in JSON; past it 413 `too_large`, and the key stays as it
 * was.
 */
const keystoreValueBytesMax = 1024 * 1024
/**
 * Changes, and reads, that wait in one batcher of the keystore; past it scripts receive 503
 * `overloaded`.
 */
const keystoreWaitingMax = 8_000
/** Changes of the keystore in one transaction. */
const keystoreBatchMax = 500

/** A change of one key: returns its new entry, and the value that the caller gets. */
export type Change<Value> = (
  entry: KeyEntry | undefined,
  nowUs: number,
) => { readonly after: KeyEntry | undefined; readonly value: Value }

type Wanted = Name & { readonly change: Change<unknown> }

export type WriteBatcher = {
  /** @throws Fault overloaded, too_large, and what the change throws. */
  change<Value>(name: Name, change: Change<Value>): Promise<Value>
}

/**
 * Changes that arrive together share a transaction: they are computed here, one after the other,
 * under the lock of their solutions, and resolved after the COMMIT. A change that throws is
 * rejected and not stored.
 */
export function createWriteBatcher(database: Database, clock: Clock): WriteBatcher {
  const batches = createBatcher<Wanted, unknown>({
    batchMax: keystoreBatchMax,
    waitingMax: keystoreWaitingMax,
    run: (wanted) =>
      database.transaction((transaction) => apply(transaction, wanted, clock.nowUs())),
  })
  return {
    change: <Value>(name: Name, change: Change<Value>) =>
      batches.add({ ...name, change }) as Promise<Value>,
  }
}

const nameKey = ({ solutionId, key }: Name) => `${solutionId}\0${key}`

/** The values of a batch's keys while its changes are computed. */
type State = {
  readonly nowUs: number
  /** Keys of each solution before the batch, and by how many they have grown in it. */
  readonly counts: ReadonlyMap<string, number>
  readonly grown: Map<string, number>
  readonly entries: Map<string, KeyEntry>
  /** Rows of the entries that the batch changes, by key. */
  readonly rows: Map<string, KeyRow>
}

async function apply(
  transaction: Transaction,
  wanted: readonly Wanted[],
  nowUs: number,
): Promise<Outcome<unknown>[]> {
  const counts = await lockSolutions(transaction, [
    ...new Set(wanted.map(({ solutionId }) => solutionId)),
  ])
  const names = [...new Map(wanted.map((one) => [nameKey(one), one])).values()]
  const found = await readEntries(transaction, names, nowUs)
  const before = new Map(found.map((one) => [nameKey(one), one.entry]))
  const state: State = { nowUs, counts, grown: new Map(), entries: new Map(), rows: new Map() }
  for (const [id, entry] of before) if (entry !== undefined) state.entries.set(id, entry)
  const outcomes = wanted.map((one) => compute(one, state))
  await store(transaction, names, before, state)
  return outcomes
}

function compute(one: Wanted, state: State): Outcome<unknown> {
  try {
    return { value: step(one, state) }
  } catch (error) {
    return { error }
  }
}

/** @throws Fault too_large if the key holds too much, or the solution too many. */
function step({ solutionId, key, change }: Wanted, state: State): unknown {
  const { entries, grown, counts, rows } = state
  const id = nameKey({ solutionId, key })
  const entry = entries.get(id)
  const { after, value } = change(entry, state.nowUs)
  if (after === entry) return value
  const by = (grown.get(solutionId) ?? 0) + Number(after !== undefined) - Number(!!entry)
  if (entry === undefined && (counts.get(solutionId) ?? 0) + by > limits.keystoreKeysMax) {
    throw new Fault('too_large', `a solution may keep ${limits.keystoreKeysMax} keys`)
  }
  if (after === undefined) {
    entries.delete(id)
    rows.delete(id)
  } else {
    const row = toRow(after)
    if (Buffer.byteLength(row.body) > keystoreValueBytesMax) {
      throw new Fault('too_large', `a key may hold ${keystoreValueBytesMax} bytes`)
    }
    rows.set(id, row)
    entries.set(id, after)
  }
  grown.set(solutionId, by)
  return value
}

/** Writes what differs. A row that has expired counts until it is replaced or deleted. */
async function store(
  transaction: Transaction,
  names: readonly Name[],
  before: ReadonlyMap<string, KeyEntry | undefined>,
  { entries, rows }: State,
): Promise<void> {
  const written: (Name & { entry: KeyEntry; row: KeyRow })[] = []
  const gone: Name[] = []
  const changes = new Map<string, number>()
  const count = (id: string, by: number) => changes.set(id, (changes.get(id) ?? 0) + by)
  for (const { solutionId, key } of names) {
    const id = nameKey({ solutionId, key })
    const entry = entries.get(id)
    const row = rows.get(id)
    if (entry !== undefined && row !== undefined) written.push({ solutionId, key, entry, row })
    if (entry !== undefined && !before.has(id)) count(solutionId, 1)
    if (entry === undefined && before.has(id)) {
      gone.push({ solutionId, key })
      count(solutionId, -1)
    }
  }
  if (written.length > 0) await writeEntries(transaction, written)
  if (gone.length > 0) await deleteEntries(transaction, gone)
  if (changes.size > 0) await addToCounts(transaction, changes)
}

/** Keys that are read together take one query; a second one waits for the first. */
export function createReads(database: Database, clock: Clock) {
  return createBatcher<Name, KeyEntry | undefined>({
    batchMax: keystoreBatchMax,
    waitingMax: keystoreWaitingMax,
    async run(names) {
      const found = await readEntries(database, names, clock.nowUs())
      const entries = new Map(found.map((one) => [`${one.solutionId}\0${one.key}`, one.entry]))
      return names.map(({ solutionId, key }) => ({ value: entries.get(`${solutionId}\0${key}`) }))
    },
  })
}
