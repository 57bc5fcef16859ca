import { channel } from 'node:diagnostics_channel'

/*
 * Scripting and pipelines publish how calls ended; the metrics of the process subscribe, if there
 * are any. So neither imports the other.
 */

/** A call of a script or of an insight module that has ended. */
export type MeasuredCall = {
  readonly of: 'script' | 'module'
  /** A word of the program: `returned`, `failed`, the limit that stopped it. */
  readonly outcome: string
  readonly ms: number
  /** Of a script. */
  readonly cpuMs?: number
}

const calls = channel('millrace.call.ended')

/** Counts a call in the metrics; costs nothing where nobody reads them. */
export function measureCall(call: () => MeasuredCall): void {
  if (calls.hasSubscribers) calls.publish(call())
}

/** @returns a function that ends it. */
export function onMeasuredCall(listener: (call: MeasuredCall) => void): () => void {
  const receive = (message: unknown) => listener(message as MeasuredCall)
  calls.subscribe(receive)
  return () => calls.unsubscribe(receive)
}
