import type { Database } from '../../database/index.ts'
import { type Clock, type Logger, limits, PollLoop, presentUntil } from '../../kernel/index.ts'
import { readLineRange, type ScriptLineFilter } from './lines.ts'
import {
  compareLineKeys,
  formatLineKey,
  type ScriptLine,
  type ScriptLineKey,
} from './script-line.ts'

export type ScriptTail = {
  readonly businessId: string
  readonly solutionId: string
  readonly filter?: ScriptLineFilter
  /** Lines after this one; without it those that come from now on. */
  readonly after?: ScriptLineKey | undefined
  /** Called with new lines, oldest first. A line that says that some were skipped is among them. */
  readonly listener: (lines: readonly ScriptLine[]) => void
}

export type LineTails = {
  follow(tail: ScriptTail): () => void
  /** Hints that solutions have new lines, to the followers of all processes. */
  notify(solutionIds: ReadonlySet<string>): void
  close(): Promise<void>
}

export type LineTailsNeeds = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

/** Lines are read from the database, so that those of other processes come too. */
export function createLineTails(needs: LineTailsNeeds): LineTails {
  const followers = new Set<Follower>()
  const running = new Set<Promise<void>>()
  let stopListening: (() => void) | undefined

  function hint(solutionIds: ReadonlySet<string> | undefined): void {
    for (const { loop, solutionId } of followers) {
      if (solutionIds === undefined || solutionIds.has(solutionId)) loop.notify()
    }
  }

  return {
    follow(tail) {
      stopListening ??= needs.database.hints.listen('script lines', hint)
      const follower = new Follower(needs, tail)
      followers.add(follower)
      const ended = follower.loop.run().finally(() => running.delete(ended))
      running.add(ended)
      return () => {
        follower.loop.stop()
        followers.delete(follower)
      }
    },
    notify(solutionIds) {
      for (const id of solutionIds) needs.database.hints.tell('script lines', id)
      hint(solutionIds)
    },
    async close() {
      stopListening?.()
      for (const follower of followers) follower.loop.stop()
      await Promise.all(running)
    },
  }
}

const usPerMs = 1_000

/**
 * One reader's walk. Lines of another process may become visible late, so each look goes back by
 * `limits.tailOverlapMs`, and what was told already is remembered for as long.
 */
class Follower {
  readonly loop: PollLoop
  readonly #needs: LineTailsNeeds
  readonly #tail: ScriptTail
  readonly #delivered = new Map<string, number>()
  #floor: ScriptLineKey

  constructor(needs: LineTailsNeeds, tail: ScriptTail) {
    this.loop = new PollLoop({
      look: () => this.#look(),
      failed: (error) =>
        needs.logger.warn({ err: error }, "a solution's log could not be followed"),
    })
    this.#needs = needs
    this.#tail = tail
    this.#floor = tail.after ?? { at: needs.clock.nowUs(), id: 0 }
  }

  get solutionId(): string {
    return this.#tail.solutionId
  }

  async #look(): Promise<void> {
    const { businessId, solutionId, filter = {}, listener } = this.#tail
    const { database, clock } = this.#needs
    const nowUs = clock.nowUs()
    // Lines that a clock which ran ahead has stamped are in the list, and not what is new.
    const present = { at: presentUntil(nowUs), id: 0 }
    if (this.#floor.at > present.at) this.#floor = backFrom(nowUs)
    const range = { newerThan: this.#floor, olderThan: present, limit: limits.tailPageMax }
    const page = await readLineRange(database, businessId, solutionId, filter, range)
    if (this.loop.stopped) return
    const fresh = page.filter((line) => !this.#delivered.has(formatLineKey(line))).reverse()
    const [first] = fresh
    const missed = fresh.length === limits.tailPageMax && first !== undefined
    const lines = missed ? [linesMissed(first), ...fresh] : fresh
    if (lines.length > 0) listener(lines)
    for (const line of fresh) this.#delivered.set(formatLineKey(line), line.at)
    this.#moveFloor(missed ? first : this.#floor, nowUs)
  }

  /** Never back over what was skipped. */
  #moveFloor(least: ScriptLineKey, nowUs: number): void {
    const back = backFrom(nowUs)
    this.#floor = compareLineKeys(least, back) < 0 ? back : least
    for (const [key, at] of this.#delivered) if (at < this.#floor.at) this.#delivered.delete(key)
  }
}

function backFrom(nowUs: number): ScriptLineKey {
  return { at: nowUs - limits.tailOverlapMs * usPerMs, id: 0 }
}

/** Its key is that of the first line behind it: a reader who resumes there goes on behind it. */
function linesMissed({ at, id }: ScriptLineKey): ScriptLine {
  return {
    ...{ at, id, kind: 'note', level: 'warn', service: '', handler: '', trackingId: '' },
    text: 'Lines were skipped here: more came than a live view shows. The list has them all.',
  }
}
