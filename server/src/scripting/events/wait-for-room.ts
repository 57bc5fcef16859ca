import { elapsedMs, limits, pauseUnlessAborted } from '../../kernel/index.ts'

/** Resolves after so long, or once the signal is aborted. */
type WaitUnlessAborted = (ms: number, signal: AbortSignal) => Promise<void>

/**
 * Resolves once few enough calls of the solutions wait (`limits.deliveriesSlowAt`), at the latest
 * after `limits.deliveriesSlowMs`: who adds calls faster than they run is slowed to their rate.
 */
export async function waitForRoom(
  queue: { waiting(solutionId: string): Promise<number> },
  solutionIds: readonly string[],
  signal: AbortSignal,
  pause: WaitUnlessAborted = pauseUnlessAborted,
): Promise<void> {
  const untilMs = elapsedMs() + limits.deliveriesSlowMs
  for (const solutionId of solutionIds) {
    while ((await queue.waiting(solutionId)) > limits.deliveriesSlowAt) {
      if (signal.aborted || elapsedMs() >= untilMs) return
      await pause(limits.jobCountMs, signal)
    }
  }
}
