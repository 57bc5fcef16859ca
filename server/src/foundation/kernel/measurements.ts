import { channel } from 'node:diagnostics_channel'
import type { CallerSpan } from './caller-span.ts'

/*
 * Modules publish what they have done; metrics, log lines and traces subscribe, if there are any.
 * So none of them imports another.
 */

/** The measurements, by the name of their channel. Each is published when it has ended. */
export type Measurements = {
  readonly request: MeasuredRequest
  readonly write: MeasuredWrite
  readonly commit: MeasuredCommit
  readonly batch: MeasuredBatch
  readonly calling: CallInSight
  readonly call: MeasuredCall
  readonly notification: MeasuredNotification
  readonly attempt: MeasuredAttempt
}

type Timed = { readonly ms: number }

/** An HTTP request that was answered. */
export type MeasuredRequest = Timed & {
  /** Its `X-Request-Id`. */
  readonly id: string
  /** The part of the instance. */
  readonly route: string
  readonly method: string
  /** The call of the management API, or the kind of the GraphQL operation. */
  readonly operation: string | undefined
  readonly status: number
  /** The span in which it was sent, by its `traceparent`. */
  readonly caller: CallerSpan | undefined
}

/** A message of a device that was appended to the event log. */
export type MeasuredWrite = Timed & {
  /** Its `X-Request-Id`; undefined if it came over MQTT. */
  readonly request: string | undefined
  /** The time since the request began; undefined if it is none. */
  readonly requestMs: number | undefined
  /** The span in which the device sent it; undefined if it names none. */
  readonly caller: CallerSpan | undefined
  /** `entry-<partition>-<number>`: its position in the log. */
  readonly trackingId: string
  readonly connectorId: string
  readonly identity: string
  readonly protocol: string
}

/** A batch that the event log has committed. */
export type MeasuredCommit = Timed & {
  /** The kind of each entry. */
  readonly kinds: readonly string[]
  /** The tracking ids of the entries. */
  readonly trackingIds: () => readonly string[]
}

/** A batch of entries that a consumer has passed. */
export type MeasuredBatch = Timed & {
  readonly consumer: string
  readonly trackingIds: () => readonly string[]
}

/** A call of a module that is about to be sent. */
export type CallInSight = {
  /** Sent as `X-Request-Id`. */
  readonly call: string
  /** The entries with whose values it is made. */
  readonly trackingIds: readonly string[]
  /** Set by a subscriber: sent as `traceparent`. */
  traceparent?: string
}

/** A call of a script or of an insight module. */
export type MeasuredCall = Timed & {
  /** A word of the program: `returned`, `failed`, the limit that stopped it. */
  readonly outcome: string
} & (
    | {
        readonly of: 'script'
        readonly cpuMs: number
        readonly solutionId: string
        readonly handler: string
        readonly trackingId: string
      }
    | {
        readonly of: 'module'
        /** The id of the module. */
        readonly module: string
        readonly functionId: string
        /** Sent as `X-Request-Id`. */
        readonly call: string
        /** The entries with whose values it was called. */
        readonly trackingIds: readonly string[]
        /** The status of the answer, if there was one. */
        readonly status: number | null
      }
  )

/** A notification that was accepted. */
export type MeasuredNotification = {
  readonly solutionId: string
  readonly notification: string
  readonly trackingId: string | undefined
}

/** An attempt to give a notification to its provider. */
export type MeasuredAttempt = Timed & {
  readonly provider: string
  readonly channel: string
  /** A word of the program: `accepted`, `retry`, … */
  readonly outcome: string
  readonly solutionId: string
  readonly notification: string
  readonly trackingId: string | undefined
}

type Kind = keyof Measurements

const channels = {
  request: channel('millrace.request'),
  write: channel('millrace.write'),
  commit: channel('millrace.commit'),
  batch: channel('millrace.batch'),
  calling: channel('millrace.calling'),
  call: channel('millrace.call'),
  notification: channel('millrace.notification'),
  attempt: channel('millrace.attempt'),
} as const satisfies Record<Kind, unknown>

/** Returns whether anybody reads it. */
export function isMeasured(kind: Kind): boolean {
  return channels[kind].hasSubscribers
}

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
