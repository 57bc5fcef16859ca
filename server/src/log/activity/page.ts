import { limits, presentUntil } from '../../foundation/kernel/index.ts'
import {
  compareKeys,
  formatKey,
  type KeyedLine,
  newestKey,
  oldestKey,
  parseKey,
  type StoredFilter,
  startKey,
} from './line.ts'
import type { LineRange } from './store/lines.ts'

/** Lines of a log that one filtered query reads. */
const lineSearchMax = 20_000

/** The log of which lines are read. */
export type LogOf = { readonly businessId: string; readonly ownerId: string }

/** A place that has lines of a log; a log may have several. */
export type LineSource<Line extends KeyedLine> = {
  /** Returns the newest lines of a range that is known to hold few rows, newest first. */
  read(log: LogOf, filter: StoredFilter, range: LineRange): Promise<readonly Line[]>
  /** Returns the time down to which the newest `rows` lines reach; 0 if there are fewer. */
  horizon(ownerId: string, beforeUs: number, rows: number): Promise<number>
  /** Returns whether there are lines at a time or later. */
  hasAfter(ownerId: string, atUs: number): Promise<boolean>
}

/** The part of a page's query beside the filter. */
export type PageOptions = {
  /** Lines that are older than the one with this id; without it the newest. */
  readonly before?: string | undefined
  /** At most `limits.pageMax`. */
  readonly limit?: number | undefined
}

export type LinePage<Line> = {
  /** Newest first. */
  readonly lines: readonly Line[]
  /**
   * The key at which an older page begins; undefined at the end of the log. A search that finds
   * little stops after `lineSearchMax` lines: then there is a next page although this one is
   * not full, or even empty.
   */
  readonly before: string | undefined
  readonly mayLoadMore: boolean
  /** On the newest page: the place from which a live view misses no line. */
  readonly after: string | undefined
}

/**
 * A log, newest first, of all its sources in one order. Lines of the future, which a clock that ran
 * ahead has stamped, come after the oldest ones.
 */
export async function readPage<Line extends KeyedLine>(
  sources: readonly LineSource<Line>[],
  log: LogOf,
  filter: StoredFilter,
  options: PageOptions,
  nowUs: number,
): Promise<LinePage<Line>> {
  const present = startKey(presentUntil(nowUs))
  const before = parseKey(options.before ?? '') ?? present
  const isPresent = before.at <= present.at
  const limit = Math.min(options.limit ?? limits.pageDefault, limits.pageMax)
  const rows = searches(filter) ? lineSearchMax : limit + 1
  const horizonUs = await readHorizon(sources, log.ownerId, before.at, rows)
  const fromUs = isPresent ? horizonUs : Math.max(horizonUs, present.at)
  const newerThan = { ...oldestKey, at: fromUs }
  const lines = await readRange(sources, log, filter, { newerThan, olderThan: before, limit })
  const next = lines.length === limit ? lines.at(-1) : await nextOfShort()
  return {
    lines,
    before: next && formatKey(next),
    mayLoadMore: next !== undefined,
    after: options.before === undefined ? formatKey(startKey(nowUs)) : undefined,
  }

  async function nextOfShort() {
    if (fromUs > (isPresent ? 0 : present.at)) return newerThan
    const future = isPresent && (await hasAfter(sources, log.ownerId, present.at))
    return future ? newestKey : undefined
  }
}

/** The newest lines of a range, newest first. The range is to be known to hold few rows. */
export async function readRange<Line extends KeyedLine>(
  sources: readonly LineSource<Line>[],
  log: LogOf,
  filter: StoredFilter,
  range: LineRange,
): Promise<Line[]> {
  const lowerCase = { ...filter, text: filter.text?.toLowerCase() }
  const found = await Promise.all(sources.map((source) => source.read(log, lowerCase, range)))
  const lines = found.flat()
  if (sources.length > 1) lines.sort((a, b) => compareKeys(b, a))
  return lines.slice(0, range.limit)
}

/** A query stops at the horizon, so that each takes a bounded time. */
export async function readHorizon<Line extends KeyedLine>(
  sources: readonly LineSource<Line>[],
  ownerId: string,
  beforeUs: number,
  rows: number,
): Promise<number> {
  const horizons = sources.map((source) => source.horizon(ownerId, beforeUs, rows))
  return Math.max(...(await Promise.all(horizons)))
}

async function hasAfter<Line extends KeyedLine>(
  sources: readonly LineSource<Line>[],
  ownerId: string,
  atUs: number,
): Promise<boolean> {
  const found = await Promise.all(sources.map((source) => source.hasAfter(ownerId, atUs)))
  return found.includes(true)
}

/** Returns whether lines may be read that are not shown. */
export function searches(filter: StoredFilter): boolean {
  return Object.values(filter).some((part) => part !== undefined)
}
