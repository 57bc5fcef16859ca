import { channel } from 'node:diagnostics_channel'

/*
 * Modules publish what they have done; the metrics of the process subscribe, if there are any. So
 * neither imports the other.
 */

/** What is measured, by the name of its channel. */
export type Measurements = {
  readonly call: MeasuredCall
  readonly commit: MeasuredCommit
  readonly attempt: MeasuredAttempt
}

/** A call of a script or of an insight module that has ended. */
export type MeasuredCall = {
  readonly of: 'script' | 'module'
  /** A word of the program: `returned`, `failed`, the limit that stopped it. */
  readonly outcome: string
  readonly ms: number
  /** Of a script. */
  readonly cpuMs?: number
  /** The id of the module. */
  readonly module?: string
}

/** A batch that the event log has committed. */
export type MeasuredCommit = {
  /** The kind of each entry. */
  readonly kinds: readonly string[]
  readonly ms: number
}

/** An attempt to give a notification to its provider. */
export type MeasuredAttempt = {
  readonly provider: string
  /** A word of the program: `accepted`, `retry`, … */
  readonly outcome: string
  readonly ms: number
}

type Kind = keyof Measurements

const channels = {
  call: channel('millrace.call'),
  commit: channel('millrace.commit'),
  attempt: channel('millrace.attempt'),
} as const satisfies Record<Kind, unknown>

/** Publishes what was done; costs nothing where nobody reads it. */
export function measure<Of extends Kind>(kind: Of, made: () => Measurements[Of]): void {
  if (channels[kind].hasSubscribers) channels[kind].publish(made())
}

/** @returns a function that ends it. */
export function onMeasured<Of extends Kind>(
  kind: Of,
  listener: (made: Measurements[Of]) => void,
): () => void {
  const receive = (message: unknown) => listener(message as Measurements[Of])
  channels[kind].subscribe(receive)
  return () => channels[kind].unsubscribe(receive)
}
