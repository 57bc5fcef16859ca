import type { ScriptError, ScriptValue } from '../runtime/value.ts'
import type { HandlerCall } from '../scripting.ts'

/** A call that is to be kept, with what orders it. */
export type NewDelivery = {
  readonly id: string
  readonly call: HandlerCall & { readonly trackingId: string }
  /** Where the ledger counts it. */
  readonly part: number
  /** Deliveries of one key run one after the other; null: in any order. */
  readonly key: string | null
  /** `running`: in this process, so that nobody else is to begin it. */
  readonly state: 'waiting' | 'running' | 'dead'
  /** How it failed, where it did. */
  readonly error?: ScriptError
  /** How often it was begun before now; left out: never. */
  readonly tries?: number
  /** Left out: at once. */
  readonly dueAtUs?: number
}

/** A delivery that this process took. */
export type ClaimedDelivery = {
  readonly id: string
  readonly call: HandlerCall & { readonly trackingId: string }
  readonly part: number
  readonly key: string | null
  /** How often it was begun before now. */
  readonly tries: number
}

/**
 * How a taken delivery ended, and who acts next. `done`: it is gone. `dead`: it waits for a person,
 * who mends or discards it. `later`: it, and all of its key, wait until `dueAtUs`; where it could
 * not even begin, that was no try. `released`: it was not begun, because one of its key before it
 * has to wait.
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

/** Where a list of dead deliveries goes on. */
export type DeadKey = { readonly failedAt: number; readonly id: string }

export type DeadPage = {
  /** Newest first. */
  readonly deliveries: readonly DeadDelivery[]
  readonly before: DeadKey | undefined
}

/** A key as one word, where a list of dead deliveries goes on. */
export function formatDeadKey({ failedAt, id }: DeadKey): string {
  return `${failedAt}.${id}`
}

/** Undefined where the text is no key. */
export function parseDeadKey(text: string): DeadKey | undefined {
  const match = /^(\d{1,16})\.([a-z0-9]{1,64})$/.exec(text)
  if (match === null) return undefined
  const failedAt = Number(match[1])
  return Number.isSafeInteger(failedAt) ? { failedAt, id: match[2] ?? '' } : undefined
}
