import { type FailureKey, limits, makeRecord } from '../../foundation/kernel/index.ts'
import type { Pipelines } from '../../insight/pipelines/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import type { Scripting } from '../../scripts/scripting/index.ts'
import type { Notifications } from '../../scripts/services/notification/index.ts'
import { type EntriesOptions, entryFailures } from './entries.ts'
import { callFailures, deliveryFailures, notificationFailures } from './stages.ts'
import {
  type Asker,
  type CountedStages,
  type FailureStage,
  failureStages,
  type StageFailure,
  type StageFailures,
} from './types.ts'

/** The failures of every stage, for the business that owns them. */
export type AllFailures = {
  /** Newest first, of one stage or of all. */
  list(
    asker: Asker,
    asked: {
      readonly stage?: FailureStage | undefined
      readonly before?: FailureKey | undefined
      readonly limit?: number | undefined
    },
  ): Promise<FailurePage>
  count(businessId: string): Promise<CountedStages>
  /** The failures of one stage. */
  of(stage: FailureStage): StageFailures
}

export type FailurePage = {
  readonly failures: readonly StageFailure[]
  /** The key of the next page; undefined if there is none. */
  readonly before: FailureKey | undefined
}

export type FailuresOptions = EntriesOptions & {
  readonly changes: Changes
  readonly pipelines: Pick<Pipelines, 'failedCalls'>
  readonly scripting: Pick<Scripting, 'failures' | 'solutions'>
  readonly notifications: Pick<Notifications, 'failures'>
}

export function createFailures(options: FailuresOptions): AllFailures {
  const { pipelines, scripting, notifications } = options
  const stages: Readonly<Record<FailureStage, StageFailures>> = {
    values: entryFailures(options, 'values'),
    functions: entryFailures(options, 'functions'),
    scripts: entryFailures(options, 'scripts'),
    'functions.calls': callFailures(pipelines),
    deliveries: deliveryFailures(scripting),
    notifications: notificationFailures(notifications, scripting, options),
  }
  return {
    async list(asker, { stage, before, limit = limits.pageDefault }) {
      const asked = stage === undefined ? failureStages : [stage]
      const pages = asked.map((one) => stages[one].list(asker, before, limit))
      const failures = (await Promise.all(pages)).flat().sort(newestFirst).slice(0, limit)
      const last = failures.length === limit ? failures.at(-1) : undefined
      return { failures, before: last && { failedAtUs: last.failedAt, id: last.id } }
    },
    async count(businessId) {
      const most = limits.failuresCountedMax
      const count = (stage: FailureStage) => stages[stage].count(businessId, most)
      const counted = failureStages.map(async (stage) => [stage, await count(stage)] as const)
      const counts = new Map(await Promise.all(counted))
      return { stages: makeRecord(failureStages, (stage) => counts.get(stage) ?? 0), most }
    },
    of: (stage) => stages[stage],
  }
}

/** In the order that each stage has, too. */
function newestFirst(a: StageFailure, b: StageFailure): number {
  if (a.failedAt !== b.failedAt) return b.failedAt - a.failedAt
  if (a.id === b.id) return 0
  return a.id < b.id ? 1 : -1
}
