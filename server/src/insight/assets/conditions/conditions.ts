import type { Transaction } from '../../../foundation/database/index.ts'
import {
  checkedPage,
  checkedText,
  Fault,
  invalid,
  newId,
  type PageRange,
} from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import { assetLimits } from '../limits.ts'
import type { AssetsOptions } from '../options.ts'
import { publishChange } from '../publish-change.ts'
import {
  addComment,
  commentCount,
  countConditions,
  endConditions,
  holdCondition,
  markAcknowledged,
  markCleared,
  openConditions,
  pageOfConditions,
  readComments,
  readCondition,
} from '../store/conditions.ts'
import type { OwnedStatusEvent } from '../types.ts'
import type { Condition, ConditionComment, ConditionFilter, ConditionOrder } from './condition.ts'

/** Comments of one condition. */
const conditionCommentsMax = 200
/** Parts of a query for conditions. */
const conditionFiltersMax = 20

/** Conditions of assets, for the people who look after them. */
export type Conditions = {
  /**
   * The conditions that one of the filters fits, all if there are none; newest first if no order is
   * given. @throws Fault `invalid_argument`
   */
  query(
    view: View,
    asked: {
      readonly filters?: readonly ConditionFilter[] | null | undefined
      readonly order?: readonly ConditionOrder[] | null | undefined
      readonly page?: PageRange | undefined
    },
  ): Promise<{ readonly total: number; readonly results: Condition[] }>
  /** In the order in which they were written. @throws Fault `not_found` */
  comments(view: View, id: string, page?: PageRange): Promise<ConditionComment[]>
  /** Returns the comment, with the asset of the condition. @throws Fault as `acknowledge` */
  comment(
    view: View,
    id: string,
    comment: string,
    by: string,
  ): Promise<ConditionComment & Pick<Condition, 'assetId'>>
  /**
   * Changes nothing if it was acknowledged.
   * @throws Fault `not_found`; `invalid_argument` if it was cleared
   */
  acknowledge(view: View, id: string, by: string): Promise<Condition>
  /** Closes it, whatever its level. Changes nothing if it was cleared. @throws Fault `not_found` */
  clear(view: View, id: string, by: string): Promise<Condition>
}

type ConditionsOptions = Pick<AssetsOptions, 'database' | 'changes' | 'clock' | 'random'>

export function createConditions(options: ConditionsOptions): Conditions {
  const { database, clock } = options
  async function get(view: View, id: string): Promise<Condition> {
    return present(await readCondition(database, view, id))
  }

  function publishCondition({ businessId }: View, { assetId }: Condition): void {
    publishChange(options, database, [{ businessId, assetId }])
  }

  return {
    async query(view, { filters, order, page }) {
      if ((filters?.length ?? 0) > conditionFiltersMax) {
        throw invalid(`a query has at most ${conditionFiltersMax} parts`)
      }
      const results = await pageOfConditions(database, view, {
        filters: filters ?? [],
        order: order ?? [],
        page: checkedPage(page),
      })
      return { total: await countConditions(database, view, filters ?? []), results }
    },
    async comments(view, id, page) {
      const { id: conditionId } = await get(view, id)
      return readComments(database, view.businessId, conditionId, checkedPage(page))
    },
    comment: (view, id, comment, by) => {
      const text = checkedComment(comment)
      return database.transaction(async (transaction) => {
        const { assetId } = present(await holdCondition(transaction, view, id))
        if ((await commentCount(transaction, view.businessId, id)) >= conditionCommentsMax) {
          throw invalid(`a condition has at most ${conditionCommentsMax} comments`)
        }
        const at = clock.nowUs()
        const { businessId } = view
        const added = await addComment(transaction, businessId, id, { comment: text, by, at })
        publishChange(options, transaction, [{ businessId, assetId }])
        return { ...added, assetId }
      })
    },
    async acknowledge(view, id, by) {
      await get(view, id)
      await markAcknowledged(database, view.businessId, id, { by, at: clock.nowUs() })
      const condition = await get(view, id)
      if (condition.state === 'cleared') throw invalid('the condition is cleared')
      publishCondition(view, condition)
      return condition
    },
    async clear(view, id, by) {
      await get(view, id)
      await markCleared(database, view.businessId, id, { by, at: clock.nowUs() })
      const condition = await get(view, id)
      publishCondition(view, condition)
      return condition
    },
  }
}

/** Opens, changes and ends the conditions of statuses, in the transaction of their events. */
export async function followStatuses(
  options: ConditionsOptions,
  transaction: Transaction,
  events: readonly OwnedStatusEvent[],
): Promise<void> {
  const bad = events.filter(({ level }) => level > 0)
  await openConditions(
    transaction,
    bad.map((event) => ({ ...event, conditionId: newId(options.random) })),
  )
  for (const event of events) {
    if (event.level > 0) continue
    const { businessId, ts, type, value } = event
    await endConditions(transaction, businessId, sourceId(event), { ts, type, value })
  }
  publishChange(options, transaction, events)
}

/** The rule of a status, or the signal that is silent. */
export function sourceId({ ruleId, signalId }: Pick<OwnedStatusEvent, 'ruleId' | 'signalId'>) {
  return ruleId ?? signalId ?? ''
}

function checkedComment(comment: string): string {
  const trimmed = comment.trim()
  if (trimmed === '') throw invalid('the comment is empty')
  return checkedText(trimmed, 'a comment', assetLimits.conditionCommentCharsMax)
}

function present(condition: Condition | undefined): Condition {
  if (condition === undefined) throw new Fault('not_found', 'There is no such condition.')
  return condition
}
