import type { Database } from '../database/index.ts'
import { type Clock, type Logger, limits, PollLoop, presentUntil } from '../kernel/index.ts'
import { beforeAll, compareKeys, formatKey, type Line, type LineKey } from './line.ts'
import { type LineFilter, readRange, searches } from './lines.ts'
import { readHorizon } from './store/lines.ts'

export type Tail = {
  readonly businessId: string
  readonly connectorId: string
  readonly filter: LineFilter
  /**
   * Lines after this one, and those from up to `limits.tailOverlapMs` before it, of which the
   * reader may know some; without it those that come from now on.
   */
  readonly after: LineKey | undefined
  /** Called with new lines, oldest first. A line that says how many were missed is among them. */
  readonly listener: (lines: readonly Line[]) => void
}

export type Tails = {
  /** Follows a connector's log until the returned function is called. */
  follow(tail: Tail): () => void
  /** Hints that a connector has new lines, to the followers of all processes. */
  tell(connectorId: string): void
  close(): Promise<void>
}

export type TailsOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Lines are read from the database, so that those of other processes come too: soon after a hint
 * from this process or another one, else once in `limits.tailPollMs`. A busy log costs each reader
 * the same few queries a second, whatever the devices do.
 */
export function createTails(options: TailsOptions): Tails {
  const followers = new Map<string, Set<Follower>>()
  const running = new Set<Promise<void>>()
  let stopListening: (() => void) | undefined

  function hint(connectorIds: Iterable<string>): void {
    for (const id of connectorIds) for (const one of followers.get(id) ?? []) one.loop.notify()
  }

  return {
    follow(tail) {
      stopListening ??= options.database.hints.listen('lines', (ids) =>
        hint(ids ?? [...followers.keys()]),
      )
      const follower = new Follower(options, tail)
      const those = followers.get(tail.connectorId) ?? new Set()
      followers.set(tail.connectorId, those.add(follower))
      const ended = follower.loop.run().finally(() => running.delete(ended))
      running.add(ended)
      return () => {
        follower.loop.stop()
        those.delete(follower)
        if (those.size === 0 && followers.get(tail.connectorId) === those) {
          followers.delete(tail.connectorId)
        }
      }
    },
    tell(connectorId) {
      options.database.hints.tell('lines', connectorId)
      if (followers.size > 0) hint([connectorId])
    },
    async close() {
      stopListening?.()
      for (const those of followers.values()) for (const follower of those) follower.loop.stop()
      await Promise.all(running)
    },
  }
}

const usPerMs = 1_000

/**
 * One reader's walk. Lines may become visible out of order: an entry's time is when it was taken,
 * not when it was committed, and processes' clocks differ. So each look goes back by
 * `limits.tailOverlapMs`, and what was told already is remembered for as long.
 */
class Follower {
  readonly loop: PollLoop
  readonly #options: TailsOptions
  readonly #tail: Tail
  readonly #told = new Map<string, number>()
  #floor: LineKey
  #lookedUs: number

  constructor(options: TailsOptions, tail: Tail) {
    this.loop = new PollLoop({
      look: () => this.#look(),
      failed: (error) =>
        options.logger.warn({ err: error }, 'the log could not be followed for a moment'),
    })
    this.#options = options
    this.#tail = tail
    const { after } = tail
    const nowUs = options.clock.nowUs()
    this.#lookedUs = after?.at ?? nowUs
    // A reader that comes back may have missed an older line that became visible late.
    const backUs = after === undefined ? 0 : limits.tailOverlapMs * usPerMs
    this.#floor = { at: this.#lookedUs - backUs, part: beforeAll, seq: 0 }
    if (after !== undefined) this.#told.set(formatKey(after), after.at)
  }

  async #look(): Promise<void> {
    const { businessId, connectorId, filter, listener } = this.#tail
    const { database, clock } = this.#options
    const nowUs = clock.nowUs()
    // Lines that a clock which ran ahead has stamped are in the list, and not what is new.
    const present: LineKey = { at: presentUntil(nowUs), part: beforeAll, seq: 0 }
    this.#comeBack(nowUs, present.at)
    const rows = searches(filter) ? limits.tailSearchMax : limits.tailPageMax
    const horizonUs = await readHorizon(database, connectorId, present.at, rows)
    const backUs = Math.max(horizonUs, this.#lookedUs - limits.tailOverlapMs * usPerMs)
    const newerThan = later(this.#floor, { at: backUs, part: beforeAll, seq: 0 })
    const range = { newerThan, olderThan: present, limit: limits.tailPageMax }
    const page = await readRange(database, businessId, connectorId, filter, range)
    if (this.loop.stopped) return
    const fresh = page.filter((line) => !this.#told.has(formatKey(line))).reverse()
    // More came since the last look than one look sees: a reader could not keep up with it.
    const missed = horizonUs > this.#lookedUs || fresh.length === limits.tailPageMax
    if (missed) this.#floor = fresh[0] ?? newerThan
    const lines = missed ? [linesMissed(this.#floor), ...fresh] : fresh
    if (lines.length > 0) listener(lines)
    this.#remember(fresh, nowUs)
  }

  /** The clock was set back, or the reader comes with a line of the future: goes on from now. */
  #comeBack(nowUs: number, presentUntilUs: number): void {
    const backUs = nowUs - limits.tailOverlapMs * usPerMs
    if (this.#lookedUs > presentUntilUs) this.#lookedUs = backUs
    if (this.#floor.at > presentUntilUs) this.#floor = { at: backUs, part: beforeAll, seq: 0 }
  }

  #remember(lines: readonly Line[], nowUs: number): void {
    this.#lookedUs = nowUs
    for (const line of lines) this.#told.set(formatKey(line), line.at)
    const forgetUs = nowUs - 2 * limits.tailOverlapMs * usPerMs
    for (const [key, at] of this.#told) if (at < forgetUs) this.#told.delete(key)
  }
}

function later(a: LineKey, b: LineKey): LineKey {
  return compareKeys(a, b) < 0 ? b : a
}

/** Its key is that of the first line behind it: a reader who resumes there goes on behind it. */
function linesMissed({ at, part, seq }: LineKey): Line {
  return {
    ...{ at, part, seq, kind: 'log', severity: 'warning', identity: null, ip: '', protocol: '' },
    ...{ code: 'lines_skipped', count: 1 },
    message: 'Lines were skipped here: more came than a live view shows. The list has them all.',
  }
}
