import type { Database, Transaction } from '../../../foundation/database/index.ts'
import {
  createBatcher,
  Fault,
  LruMap,
  limits,
  type Outcome,
} from '../../../foundation/kernel/index.ts'
import type { Point, SeriesKey } from './point.ts'
import { addSeries, countSeries, findSeries, type NumberedPoint, writePoints } from './store.ts'

/** Writes of values over time in one transaction. */
const tsdbBatchMax = 100
/** Writes of values over time that wait; past it scripts receive 503 `overloaded`. */
const tsdbWaitingMax = 5_000
/** Metrics with tags whose numbers are cached. */
const tsdbSeriesKept = 100_000

export type PointWriter = {
  /** Resolves once the points are stored. @throws Fault too_large, overloaded */
  write(points: readonly Point[]): Promise<void>
}

const seriesKey = ({ solutionId, metric, tags }: SeriesKey) => `${solutionId}\0${metric}\0${tags}`

/**
 * Writes that arrive together share a transaction, in their order: of one series and time the last
 * value counts. A write with too many new series is rejected by itself.
 */
export function createWrites(database: Database): PointWriter {
  const known = new LruMap<string, number>(tsdbSeriesKept)
  const batches = createBatcher<readonly Point[], void>({
    batchMax: tsdbBatchMax,
    waitingMax: tsdbWaitingMax,
    async run(writes) {
      const stored = await database.transaction((transaction) => store(transaction, writes, known))
      for (const [key, id] of stored.ids) known.set(key, id)
      return writes.map((write): Outcome<void> => {
        return stored.refused.has(write) ? { error: tooMany() } : { value: undefined }
      })
    },
  })
  return { write: (points) => batches.add(points) }
}

const tooMany = () =>
  new Fault('too_large', `a solution may have ${limits.tsdbSeriesMax} metrics with tags`)

type Stored = {
  readonly ids: ReadonlyMap<string, number>
  readonly refused: ReadonlySet<readonly Point[]>
}

async function store(
  transaction: Transaction,
  writes: readonly (readonly Point[])[],
  known: LruMap<string, number>,
): Promise<Stored> {
  const ids = await find(transaction, writes.flat(), known)
  const findId = (key: string) => ids.get(key) ?? known.get(key)
  const { fresh, refused } = await choose(transaction, writes, findId)
  if (fresh.size > 0) {
    await addSeries(transaction, [...fresh.values()])
    for (const [key, id] of await find(transaction, [...fresh.values()], known)) ids.set(key, id)
  }
  const points = writes.filter((write) => !refused.has(write)).flat()
  if (points.length > 0) await writePoints(transaction, number(points, findId))
  return { ids, refused }
}

/** The numbers of series that are stored, and not in memory. */
async function find(
  transaction: Transaction,
  keys: readonly SeriesKey[],
  known: LruMap<string, number>,
): Promise<Map<string, number>> {
  const unknown = new Map<string, SeriesKey>()
  for (const one of keys) {
    const key = seriesKey(one)
    if (known.get(key) === undefined) unknown.set(key, one)
  }
  if (unknown.size === 0) return new Map()
  const found = await findSeries(transaction, [...unknown.values()])
  const names = [...unknown.keys()]
  return new Map(found.flatMap((id, index) => (id === undefined ? [] : [[names[index] ?? '', id]])))
}

/** Finds the new series, and the writes that exceed the solution's limit of series. */
async function choose(
  transaction: Transaction,
  writes: readonly (readonly Point[])[],
  findId: (key: string) => number | undefined,
): Promise<{ fresh: Map<string, SeriesKey>; refused: Set<readonly Point[]> }> {
  const fresh = new Map<string, SeriesKey>()
  const refused = new Set<readonly Point[]>()
  const counts = new Map<string, number>()
  for (const write of writes) {
    const own = new Map<string, SeriesKey>()
    for (const point of write) {
      const key = seriesKey(point)
      if (!fresh.has(key) && findId(key) === undefined) own.set(key, point)
    }
    const solutionId = write[0]?.solutionId
    if (own.size === 0 || solutionId === undefined) continue
    const count = counts.get(solutionId) ?? (await countSeries(transaction, solutionId))
    if (count + own.size > limits.tsdbSeriesMax) {
      refused.add(write)
      continue
    }
    counts.set(solutionId, count + own.size)
    for (const [key, series] of own) fresh.set(key, series)
  }
  return { fresh, refused }
}

function number(
  points: readonly Point[],
  findId: (key: string) => number | undefined,
): NumberedPoint[] {
  const last = new Map<string, NumberedPoint>()
  for (const point of points) {
    const seriesId = findId(seriesKey(point))
    if (seriesId === undefined) throw new Error('a series was given no number')
    last.set(`${seriesId} ${point.ts}`, { seriesId, ts: point.ts, value: point.value })
  }
  return [...last.values()].sort((a, b) => a.seriesId - b.seriesId || a.ts - b.ts)
}
