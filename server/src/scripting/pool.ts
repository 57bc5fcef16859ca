import { type Logger, limits } from '../kernel/index.ts'
import { type Apart, createApart } from './apart.ts'
import { Line, type Remains } from './line.ts'
import type { FromWorker, ToWorker } from './messages.ts'

export type Pool = {
  /** The worker that has the solution now. */
  lineOf(solutionId: string): Line
  readonly apart: Apart
  forget(solutionId: string): void
  /** Ends workers that hang. @param deadlineOf when what a message began must have ended. */
  look(deadlineOf: (message: ToWorker) => number | undefined): void
  close(): Promise<void>
}

export type PoolNeeds = {
  readonly workers: number
  readonly entry: URL
  readonly logger: Logger
  readonly elapsedMs: () => number
  readonly heard: (message: FromWorker, line: Line) => void
  readonly lost: (line: Line, remains: Remains) => void
  readonly refused: (message: ToWorker) => void
}

/**
 * The workers. Each solution has one, so that its calls share one machine: by rendezvous hashing,
 * so that another number of workers moves few of them. One more worker is for solutions that spin.
 */
export function createPool(needs: PoolNeeds): Pool {
  const { workers, entry, logger, elapsedMs } = needs
  const lines = new Map<number, Line>()
  const homes = new Map<string, number>()
  const apart = createApart(elapsedMs)
  const apartPlace = workers
  const machinesMax = Math.max(1, Math.floor(limits.scriptMachinesMax / (workers + 1)))

  function open(place: number): Line {
    const line = new Line({
      ...{ entry, logger, machinesMax },
      heard: (from, messages) => {
        for (const message of messages) needs.heard(message, from)
      },
      lost: (lost, remains) => {
        if (lines.get(place) === lost) lines.delete(place)
        needs.lost(lost, remains)
      },
      refused: needs.refused,
    })
    lines.set(place, line)
    return line
  }

  function homeOf(solutionId: string): number {
    const known = homes.get(solutionId)
    if (known !== undefined) return known
    const home = workers === 1 ? 0 : rendezvous(solutionId, workers)
    if (homes.size >= limits.scriptMachinesMax) homes.clear()
    homes.set(solutionId, home)
    return home
  }

  /** The machine stays until the calls in it have ended. */
  function leave(line: Line | undefined, solutionId: string): void {
    if (line?.known.delete(solutionId) === true) line.post(['forget', solutionId])
  }

  return {
    apart,
    lineOf(solutionId) {
      const home = homeOf(solutionId)
      const place = apart.has(solutionId) ? apartPlace : home
      leave(lines.get(place === home ? apartPlace : home), solutionId)
      return lines.get(place) ?? open(place)
    },
    forget(solutionId) {
      for (const line of lines.values()) leave(line, solutionId)
    },
    look(deadlineOf) {
      const nowMs = elapsedMs()
      for (const line of [...lines.values()]) {
        const at = line.look()
        if (at === undefined || at.stuckMs < limits.scriptOverrunMs) continue
        const deadlineMs = deadlineOf(at.message)
        // What nobody waits for any more has had its time as well.
        if (deadlineMs !== undefined && nowMs < deadlineMs + limits.scriptOverrunMs) continue
        logger.error({ stuckMs: at.stuckMs, at: at.message[0] }, 'a script worker hangs: ended')
        line.end()
      }
    },
    async close() {
      await Promise.all([...lines.values()].map((line) => line.end()))
    },
  }
}

/** Every place draws a number for the solution; the highest has it. */
function rendezvous(solutionId: string, places: number): number {
  let best = 0
  let highest = -1
  for (let place = 0; place < places; place += 1) {
    const drawn = hash(`${place}/${solutionId}`)
    if (drawn > highest) {
      highest = drawn
      best = place
    }
  }
  return best
}

const fnvOffset = 0x811c9dc5
const fnvPrime = 0x01000193
const mixer = 0x85ebca6b

function hash(text: string): number {
  let mixed = fnvOffset
  for (let at = 0; at < text.length; at += 1) {
    mixed = Math.imul(mixed ^ text.charCodeAt(at), fnvPrime)
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), mixer)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
