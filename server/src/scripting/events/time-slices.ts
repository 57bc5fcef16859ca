import { limits } from '../../kernel/index.ts'
import type { EventRun } from './event-run.ts'

/** Resolves when all is done, and else after so long. */
export type WaitAtMost = (ms: number, all: Promise<unknown>) => Promise<void>

/** Events of a solution that are left, and the number that ended in this time slice. */
type SolutionProgress = { left: number; ended: number; isOver: boolean }

/**
 * Runs the events of a batch: those of a solution and device one after the other, others side by
 * side. After each time slice a solution goes on if at its rate it would finish within the
 * remaining slices: then the machine is slow, and a delivery would cost more than the event does.
 * Events of the other solutions that have not started are left out.
 */
export async function runInTimeSlices(
  runs: readonly EventRun[],
  waitAtMost: WaitAtMost = realTime,
): Promise<void> {
  if (runs.length === 0) return
  const solutions = [...Map.groupBy(runs, ({ event }) => event.call.solutionId).values()]
  const progresses = solutions.map((own): SolutionProgress => {
    return { left: own.length, ended: 0, isOver: false }
  })
  const chains = solutions.flatMap((own, at) =>
    [...Map.groupBy(own, ({ event }) => event.key).values()].map((chain) =>
      runChain(chain, progresses[at] as SolutionProgress),
    ),
  )
  const all = Promise.all(chains)
  for (let slices = limits.scriptEventsSlicesMax - 1; slices >= 0; slices -= 1) {
    await waitAtMost(limits.scriptEventsSliceMs, all)
    for (const progress of progresses) {
      progress.isOver ||= progress.ended * slices < progress.left
      progress.ended = 0
    }
    if (progresses.every(({ isOver, left }) => isOver || left === 0)) return
  }
}

async function runChain(chain: readonly EventRun[], progress: SolutionProgress): Promise<void> {
  for (const one of chain) {
    if (progress.isOver) return
    const outcome = await one.start()
    progress.left -= 1
    progress.ended += 1
    // One that is to be retried blocks the others of its device.
    if (outcome.kind === 'retry' || outcome.kind === 'snooze') return
  }
}

async function realTime(ms: number, all: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([all, promise])
  clearTimeout(timer)
}
