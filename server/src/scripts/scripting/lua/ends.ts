import { scriptingLimits } from '../limits.ts'
import type { Ended, StopLimit, Trace } from '../runtime/engine.ts'
import { scriptError, stopped } from '../runtime/script-error.ts'

/** Lua's message after a refused allocation. */
export const notEnoughMemory = 'not enough memory'

/** The end of a script by a limit, which the error names. */
export function stoppedBy(limit: StopLimit, text: string): Ended {
  return stopped(limit, `limit ${limit}: ${text}`)
}

/** The message of the limit, with the place in the scripts if that is known. */
export function stoppedAt(end: Ended, trace: Trace): Ended {
  const [first] = trace
  if (end.kind !== 'stopped' || first === undefined) return end
  const { error } = end
  // The function is in the trace, for the author alone.
  const [place] = first.split(' in ')
  return { ...end, error: { ...error, error: `${error.error}, at ${place}` }, trace }
}

export function failedWith(status: number, text: string): Ended {
  return { kind: 'failed', error: scriptError(status, shortened(text)) }
}

/** Cuts a script's own message to its greatest length. */
export function shortened(text: string): string {
  const max = scriptingLimits.scriptErrorCharsMax
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`
}
