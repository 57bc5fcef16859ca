import { scriptingLimits } from '../limits.ts'
import { type EventRun, isToRunAgain } from './event-batches.ts'

/** Events of one solution, each of another device, that run at once in a batch. */
const scriptEventsAtOnceMax = 64

/** Resolves when all is done, and else after so long. */
export type WaitAtMost = (ms: number, all: Promise<unknown>) => Promise<void>

/** Events of a solution that are left, and the number that ended in this time slice. */
type SolutionProgress = { left: number; ended: number; isOver: boolean }

/**
 * Runs the events of a batch: those of a solution and device one after the other, others side by
 * side, some of a solution at once. Events of a solution that may not go on and that have not
 * started are left out.
 */
export async function runInTimeSlices(
  runs: readonly EventRun[],
  waitAtMost: WaitAtMost = realTime,
): Promise<void> {
  await run(runs, waitAtMost, scriptingLimits.scriptEventsSlicesMax, isNearlyDone)
}

/**
 * The same for a solution that nobody waits for: it goes on as long as something ends in each time
 * slice.
 */
export async function runWhileMoving(
  runs: readonly EventRun[],
  isStopping: () => boolean,
  waitAtMost: WaitAtMost = realTime,
): Promise<void> {
  const isMoving = ({ ended }: SolutionProgress) => ended > 0 && !isStopping()
  await run(runs, waitAtMost, Number.POSITIVE_INFINITY, isMoving)
}

/**
 * After each time slice a solution goes on if at its rate it would finish within the remaining
 * slices: then the machine is slow, and reading its entries again would cost more.
 */
function isNearlyDone({ ended, left }: SolutionProgress, slicesLeft: number): boolean {
  return ended * slicesLeft >= left
}

async function run(
  runs: readonly EventRun[],
  waitAtMost: WaitAtMost,
  slicesMax: number,
  goesOn: (progress: SolutionProgress, slicesLeft: number) => boolean,
): Promise<void> {
  if (runs.length === 0) return
  const solutions = [...Map.groupBy(runs, ({ event }) => event.call.solutionId).values()]
  const progresses = solutions.map((own): SolutionProgress => {
    return { left: own.length, ended: 0, isOver: false }
  })
  const all = Promise.all(
    solutions.map((own, at) => runChains(own, progresses[at] as SolutionProgress)),
  )
  for (let slicesLeft = slicesMax - 1; slicesLeft >= 0; slicesLeft -= 1) {
    await waitAtMost(scriptingLimits.scriptEventsSliceMs, all)
    for (const progress of progresses) {
      progress.isOver ||= !goesOn(progress, slicesLeft)
      progress.ended = 0
    }
    if (progresses.every(({ isOver, left }) => isOver || left === 0)) return
  }
}

async function runChains(own: readonly EventRun[], progress: SolutionProgress): Promise<void> {
  const chains = Map.groupBy(own, ({ event }) => event.key).values()
  const runNext = async () => {
    for (const chain of chains) await runChain(chain, progress)
  }
  await Promise.all(Array.from({ length: scriptEventsAtOnceMax }, runNext))
}

async function runChain(chain: readonly EventRun[], progress: SolutionProgress): Promise<void> {
  for (const one of chain) {
    if (progress.isOver) return
    const outcome = await one.start()
    progress.left -= 1
    progress.ended += 1
    if (isToRunAgain(outcome)) return
  }
}

async function realTime(ms: number, all: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([all, promise])
  clearTimeout(timer)
}
