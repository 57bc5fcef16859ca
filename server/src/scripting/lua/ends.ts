import { limits } from '../../kernel/index.ts'
import type { Ended, StopLimit, Trace } from '../runtime/engine.ts'
import { scriptError, stopped } from '../runtime/script-error.ts'

/** What Lua says when an allocation was refused, whoever passed it on. */
export const notEnoughMemory = 'not enough memory'

/** The end of a script by a limit, which the error names. */
export function stoppedBy(limit: StopLimit, text: string): Ended {
  return stopped(limit, `limit ${limit}: ${text}`)
}

/** As it says of itself, with the place in the scripts where that is known. */
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

/** A script's own words, as far as they are told. */
export function shortened(text: string): string {
  const max = limits.scriptErrorCharsMax
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`
}
