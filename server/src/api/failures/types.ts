import {
  AnyValue,
  component,
  type FailureKey,
  Microseconds,
  Nullable,
  OptionalMicroseconds,
  type StaticResult,
  StrictObject,
  Type,
} from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'

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

/** The name of a stage as a parameter. */
export const stageSchema = (description: string) =>
  Type.Unsafe<FailureStage>({ enum: failureStages, description })

const about = (description: string) => Type.Optional(Type.String({ description }))

/** A failure, whatever the stage. */
export const stageFailureSchema = component(
  'StageFailure',
  {
    stage: stageSchema('The stage, as the ledger names it.'),
    id: Type.String({ description: 'Its id in its stage.' }),
    about: StrictObject({
      connector: about('The id of the connector.'),
      device: about('The identity of the device.'),
      asset: about('The id of the asset.'),
      link: about('The id of the link whose function was called.'),
      linkName: about('The name of the link.'),
      solution: about('The id of the solution.'),
      service: about('The script key of the service.'),
      event: about('The event of the service.'),
      notification: about('The sid of the notification.'),
      channel: about('The channel of the notification.'),
      address: about('The address of the binding.'),
    }),
    code: Nullable(Type.String(), { description: 'A code of an error, where one is known.' }),
    reason: Type.String(),
    input: AnyValue<unknown>({
      description: 'What it failed with; null if that is not kept any more.',
    }),
    final: Nullable(Type.String(), { description: 'Why it cannot be sent again; null if it can.' }),
    tries: Type.Integer(),
    trackingId: Nullable(Type.String(), { description: 'The id of the call in logs.' }),
    createdAt: OptionalMicroseconds('When it came, in microseconds.'),
    failedAt: Microseconds('When it failed for the last time, in microseconds.'),
  },
  { description: 'What failed at a stage.' },
)
export type StageFailure = StaticResult<typeof stageFailureSchema>

const counted = (name: string) => Type.Integer({ description: `Of the stage ${name}.` })

/** The counts of a business by stage. */
export const stageCountsSchema = component('StageFailureCounts', {
  stages: StrictObject({
    values: counted('values'),
    functions: counted('functions'),
    scripts: counted('scripts'),
    'functions.calls': counted('functions.calls'),
    deliveries: counted('deliveries'),
    notifications: counted('notifications'),
  }),
  most: Type.Integer({
    description: 'A stage with this count may have more (`failuresCountedMax`).',
  }),
})
export type CountedStages = StaticResult<typeof stageCountsSchema>

/** The caller: the parts of the principal that each stage needs. */
export type Asker = { readonly view: View; readonly subject: string }

/** The failures of one stage. */
export type StageFailures = {
  /** Newest first. */
  list(
    asker: Asker,
    before: FailureKey | undefined,
    limit: number,
  ): Promise<readonly StageFailure[]>
  /** Counts the failures of the whole business, at most `most`; reads no inputs. */
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
