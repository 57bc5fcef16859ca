import type { Database } from '../../foundation/database/index.ts'
import { type Clock, type Logger, PollLoop, presentUntil } from '../../foundation/kernel/index.ts'
import { activityLimits } from './limits.ts'
import {
  compareKeys,
  formatKey,
  type KeyedLine,
  type LineKey,
  type StoredFilter,
  startKey,
} from './line.ts'
import { type LineSource, type LogOf, readHorizon, readRange, searches } from './page.ts'

/** Lines that a live view with a filter reads at once. */
const tailSearchMax = 5_000

export type Tail<Line extends KeyedLine> = {
  readonly sources: readonly LineSource<Line>[]
  readonly log: LogOf
  readonly filter: StoredFilter
  /**
   * Lines after this one, and those from up to `tailOverlapMs` before it, of which the
   * reader may have some; without it those that come from now on.
   */
  readonly after: LineKey | undefined
  /** Returns the line that stands for lines that a live view leaves out. */
  readonly skipped: (key: LineKey) => Line
  /** Called with new lines, oldest first. */
  readonly listener: (lines: readonly Line[]) => void
}

export type TailsOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

type Following = { readonly ownerId: string; readonly loop: PollLoop }

/**
 * The live views of all logs. Lines are read from the database, so that those of other processes
 * come too: soon after a hint from this process or another one, else once in `limits.tailPollMs`.
 * A busy log costs each reader the same few queries a second, whatever its owner does.
 */
export class Tails {
  readonly #options: TailsOptions
  readonly #following = new Set<Following>()
  readonly #running = new Set<Promise<void>>()
  readonly #listeners: ((ownerIds: ReadonlySet<string>) => void)[] = []
  #stopListening: (() => void) | undefined

  constructor(options: TailsOptions) {
    this.#options = options
  }

  /** Calls the listener with the owners of each `notify`. */
  onNotified(listener: (ownerIds: ReadonlySet<string>) => void): void {
    this.#listeners.push(listener)
  }

  /** Follows a log until the returned function is called. */
  follow<Line extends KeyedLine>(tail: Tail<Line>): () => void {
    const { hints } = this.#options.database
    this.#stopListening ??= hints.listen('lines', (ownerIds) => this.#wake(ownerIds))
    const following = { ownerId: tail.log.ownerId, loop: new Follower(this.#options, tail).loop }
    this.#following.add(following)
    const ended = following.loop.run().finally(() => this.#running.delete(ended))
    this.#running.add(ended)
    return () => {
      following.loop.stop()
      this.#following.delete(following)
    }
  }

  /** Hints that these owners have new lines, to the live views of all processes. */
  notify(ownerIds: ReadonlySet<string>): void {
    for (const id of ownerIds) this.#options.database.hints.notify('lines', id)
    this.#wake(ownerIds)
    for (const listener of this.#listeners) listener(ownerIds)
  }

  async close(): Promise<void> {
    this.#stopListening?.()
    for (const { loop } of this.#following) loop.stop()
    await Promise.all(this.#running)
  }

  #wake(ownerIds: ReadonlySet<string> | undefined): void {
    for (const { ownerId, loop } of this.#following) {
      if (ownerIds === undefined || ownerIds.has(ownerId)) loop.notify()
    }
  }
}

const usPerMs = 1_000

/**
 * A live view. Lines may become visible out of order: an entry's time is when it was taken, not
 * when it was committed, and processes' clocks differ. So each poll goes back by
 * `tailOverlapMs`, and the keys of the lines that were delivered are kept for as long.
 */
class Follower<Line extends KeyedLine> {
  readonly loop: PollLoop
  readonly #options: TailsOptions
  readonly #tail: Tail<Line>
  readonly #delivered = new Map<string, number>()
  #floor: LineKey
  #polledUs: number

  constructor(options: TailsOptions, tail: Tail<Line>) {
    this.loop = new PollLoop({
      look: () => this.#poll(),
      failed: (error) =>
        options.logger.warn({ err: error }, 'a live view of a log could not be read; retrying'),
    })
    this.#options = options
    this.#tail = tail
    const { after } = tail
    this.#polledUs = after?.at ?? options.clock.nowUs()
    // A reader that comes back may have missed an older line that became visible late.
    const backUs = after === undefined ? 0 : activityLimits.tailOverlapMs * usPerMs
    this.#floor = startKey(this.#polledUs - backUs)
    if (after !== undefined) this.#delivered.set(formatKey(after), after.at)
  }

  async #poll(): Promise<void> {
    const { sources, log, filter, skipped, listener } = this.#tail
    const nowUs = this.#options.clock.nowUs()
    // Lines that a clock which ran ahead has stamped are in the pages, and are not new.
    const present = startKey(presentUntil(nowUs))
    this.#comeBack(nowUs, present.at)
    const rows = searches(filter) ? tailSearchMax : activityLimits.tailPageMax
    const horizonUs = await readHorizon(sources, log.ownerId, present.at, rows)
    const backUs = Math.max(horizonUs, this.#polledUs - activityLimits.tailOverlapMs * usPerMs)
    const newerThan = later(this.#floor, startKey(backUs))
    const range = { newerThan, olderThan: present, limit: activityLimits.tailPageMax }
    const page = await readRange(sources, log, filter, range)
    if (this.loop.stopped) return
    const fresh = page.filter((line) => !this.#delivered.has(line.id)).reverse()
    // More came since the last poll than one poll reads: a reader could not keep up with it.
    const missed = horizonUs > this.#polledUs || fresh.length === activityLimits.tailPageMax
    if (missed) this.#floor = fresh[0] ?? newerThan
    // The key is that of the first line behind: a reader who resumes there goes on behind it.
    const lines = missed ? [skipped(this.#floor), ...fresh] : fresh
    if (lines.length > 0) listener(lines)
    this.#remember(fresh, nowUs)
  }

  /** Goes on from now if the clock was set back, or the reader came with a line of the future. */
  #comeBack(nowUs: number, presentUntilUs: number): void {
    const backUs = nowUs - activityLimits.tailOverlapMs * usPerMs
    if (this.#polledUs > presentUntilUs) this.#polledUs = backUs
    if (this.#floor.at > presentUntilUs) this.#floor = startKey(backUs)
  }

  #remember(lines: readonly Line[], nowUs: number): void {
    this.#polledUs = nowUs
    for (const line of lines) this.#delivered.set(line.id, line.at)
    const forgetUs = nowUs - 2 * activityLimits.tailOverlapMs * usPerMs
    for (const [key, at] of this.#delivered) if (at < forgetUs) this.#delivered.delete(key)
  }
}

function later(a: LineKey, b: LineKey): LineKey {
  return compareKeys(a, b) < 0 ? b : a
}
