import type { ScriptError, ScriptValue } from '../runtime/value.ts'
import type { HandlerCall } from '../scripting.ts'

/** A durable call to be stored, with its key of order. */
export type NewDelivery = {
  readonly id: string
  readonly call: HandlerCall & { readonly trackingId: string }
  /** The partition in which the ledger counts it. */
  readonly part: number
  /** Deliveries of one key run one after the other; null: in any order. */
  readonly key: string | null
  /** `running`: leased to this process from the start. */
  readonly state: 'waiting' | 'running' | 'dead'
  /** Error of the last attempt, if it failed. */
  readonly error?: ScriptError
  /** Number of earlier attempts; left out: 0. */
  readonly tries?: number
  /** Left out: at once. */
  readonly dueAtUs?: number
}

/** A delivery that this process has leased. */
export type ClaimedDelivery = {
  readonly id: string
  readonly call: HandlerCall & { readonly trackingId: string }
  readonly part: number
  readonly key: string | null
  /** Number of earlier attempts. */
  readonly tries: number
}

/**
 * The outcome of a claimed delivery, and who acts next. `done`: it is deleted. `dead`: a dead
 * letter, which a person requeues or discards. `later`: it, and all of its key, wait until
 * `dueAtUs`; if it could not start, that is no attempt. `released`: it was not started, because an
 * earlier one of its key has to wait.
 */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'dead'; readonly error: ScriptError }
  | {
      readonly kind: 'later'
      readonly dueAtUs: number
      readonly error: ScriptError
      readonly began: boolean
    }
  | { readonly kind: 'released' }

export type Settlement = {
  readonly solutionId: string
  readonly id: string
  readonly outcome: Outcome
}

/** A delivery that failed for good, as its owner sees it. */
export type DeadDelivery = {
  readonly id: string
  readonly businessId: string
  readonly solutionId: string
  readonly service: string
  readonly event: string
  readonly argument: ScriptValue
  readonly error: ScriptError
  readonly tries: number
  readonly trackingId: string
  /** Microseconds: when it came, and when it failed for good. */
  readonly createdAt: number
  readonly failedAt: number
}

/** The cursor of a list of dead deliveries. */
export type DeadKey = { readonly failedAt: number; readonly id: string }

export type DeadPage = {
  /** Newest first. */
  readonly deliveries: readonly DeadDelivery[]
  readonly before: DeadKey | undefined
}

/** Formats a cursor as one word. */
export function formatDeadKey({ failedAt, id }: DeadKey): string {
  return `${failedAt}.${id}`
}

/** Undefined if the text is no cursor. */
export function parseDeadKey(text: string): DeadKey | undefined {
  const match = /^(\d{1,16})\.([a-z0-9]{1,64})$/.exec(text)
  if (match === null) return undefined
  const failedAt = Number(match[1])
  return Number.isSafeInteger(failedAt) ? { failedAt, id: match[2] ?? '' } : undefined
}
