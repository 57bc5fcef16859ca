import {
  acknowledgeConditionDocument,
  type ConditionFragment,
  type ConditionQuery,
  clearConditionDocument,
  commentConditionDocument,
  consoleCommentsDocument,
  consoleConditionsDocument,
} from '../generated/conditions.ts'
import { asking } from './graphql.ts'

export type Condition = ConditionFragment
export type ConditionState = Condition['state']
export type ConditionFilter = ConditionQuery

/** Newest first. Needs `View Asset Data`. */
export const listConditions = asking(consoleConditionsDocument, 'conditionQuery')

export const listComments = asking(consoleCommentsDocument, 'conditionComments')

export const acknowledgeCondition = asking(acknowledgeConditionDocument)

export const clearCondition = asking(clearConditionDocument)

export const commentCondition = asking(commentConditionDocument)
