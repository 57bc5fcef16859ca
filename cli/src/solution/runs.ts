import type { components } from '@millrace/client'

/** An error as scripts have it. */
export type ScriptError = components['schemas']['ScriptError']

/**
 * The longest wait for the end of a call, in milliseconds; fetch of Node waits no longer. A call that
 * takes longer goes on, and its log has its end.
 */
export const callMsMax = 290_000

/** Returns true for the error of a script, which is no error of the API. */
export function isScriptError(value: unknown): value is ScriptError {
  if (typeof value !== 'object' || value === null) return false
  const { type, error, status } = value as Partial<Record<keyof ScriptError, unknown>>
  return typeof type === 'string' && typeof error === 'string' && typeof status === 'number'
}

export function scriptErrorLine({ status, error }: ScriptError): string {
  return `${status} ${JSON.stringify(error)}`
}
