import type { View } from '../groups/index.ts'
import type { FailureKey } from '../kernel/index.ts'

/** The stages that may have failures, by their names in the ledger. */
export const failureStages = [
  'values',
  'functions',
  'scripts',
  'functions.calls',
  'deliveries',
  'notifications',
] as const

export type FailureStage = (typeof failureStages)[number]

/** What failed, whatever the stage. */
export type StageFailure = {
  readonly stage: FailureStage
  readonly id: string
  /** What it is about: of these fields those that the stage has. */
  readonly about: {
    readonly connector?: string
    readonly device?: string
    readonly asset?: string
    readonly link?: string
    readonly linkName?: string
    readonly solution?: string
    readonly service?: string
    readonly event?: string
    readonly notification?: string
    readonly channel?: string
    readonly address?: string
  }
  /** A code of an error, where one is known. */
  readonly code: string | null
  readonly reason: string
  /** What it failed with; null if that is not kept any more. */
  readonly input: unknown
  /** Why it cannot be sent again, for a person to read; null if it can. */
  readonly final: string | null
  readonly tries: number
  readonly trackingId: string | null
  /** Microseconds. */
  readonly createdAt: number | null
  readonly failedAt: number
}

/** Who asks: what each stage needs to know of the principal. */
export type Asker = { readonly view: View; readonly subject: string }

/** The failures of one stage. */
export type StageFailures = {
  /** Newest first. */
  list(
    asker: Asker,
    before: FailureKey | undefined,
    limit: number,
  ): Promise<readonly StageFailure[]>
  /** How many the whole business has, at most `most`; reads no inputs. */
  count(businessId: string, most: number): Promise<number>
  /** @throws Fault not_found */
  get(asker: Asker, id: string): Promise<StageFailure>
  /**
   * Sends it again.
   * @param input in place of the one before. @throws Fault not_found, invalid_argument
   */
  retry(asker: Asker, id: string, input?: { readonly value: unknown }): Promise<void>
  /** @returns how many. @throws Fault forbidden */
  retryAll(asker: Asker): Promise<number>
  /** @throws Fault not_found */
  discard(asker: Asker, id: string): Promise<void>
  /** @returns how many. @throws Fault forbidden */
  discardAll(asker: Asker): Promise<number>
}
