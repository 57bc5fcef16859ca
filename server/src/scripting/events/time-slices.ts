import { limits } from '../../kernel/index.ts'
import type { EventRun } from './event-run.ts'

/** Resolves when all is done, and else after so long. */
export type WaitAtMost = (ms: number, all: Promise<unknown>) => Promise<void>

/** What is left to a solution of a batch, and how many ended in this grace. */
type SolutionProgress = { left: number; ended: number; isOver: boolean }

/**
 * Runs the events of a batch: those of a solution and device one after the other, others side by
 * side. After each grace a solution stays that would be through within those that are left, at its
 * pace: it is the machine that is slow then, and a delivery would cost it more than the event does.
 * Of the other solutions what is not begun is left.
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
  for (let graces = limits.scriptEventsGracesMax - 1; graces >= 0; graces -= 1) {
    await waitAtMost(limits.scriptEventsGraceMs, all)
    for (const progress of progresses) {
      progress.isOver ||= progress.ended * graces < progress.left
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
    // One that is to be tried again stays before the others of its device.
    if (outcome.kind === 'later') return
  }
}

async function realTime(ms: number, all: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([all, promise])
  clearTimeout(timer)
}
