import {
  acknowledgeConditionDocument,
  type ConditionFragment,
  type ConditionQuery,
  type ConsoleCommentsQuery,
  type ConsoleConditionsQuery,
  clearConditionDocument,
  commentConditionDocument,
  consoleCommentsDocument,
  consoleConditionsDocument,
} from '../generated/documents.ts'
import type { Client } from './client.ts'
import { ask } from './graphql.ts'

export type Condition = ConditionFragment
export type ConditionState = Condition['state']
export type ConditionPage = ConsoleConditionsQuery['conditionQuery']
export type ConditionFilter = ConditionQuery

type Wanted = {
  readonly filter: ConditionFilter
  readonly limit: number
  readonly offset: number
}

/** Newest first. Needs `View Asset Data`. */
export async function listConditions(
  client: Client,
  { filter, limit, offset }: Wanted,
  signal: AbortSignal,
): Promise<ConditionPage> {
  const variables = { query: [filter], limit, offset }
  return (await ask(client, consoleConditionsDocument, variables, signal)).conditionQuery
}

export async function listComments(
  client: Client,
  id: string,
  signal: AbortSignal,
): Promise<ConsoleCommentsQuery['conditionComments']> {
  return (await ask(client, consoleCommentsDocument, { id }, signal)).conditionComments
}

export function acknowledgeCondition(client: Client, id: string): Promise<unknown> {
  return ask(client, acknowledgeConditionDocument, { id })
}

export function clearCondition(client: Client, id: string): Promise<unknown> {
  return ask(client, clearConditionDocument, { id })
}

export function commentCondition(client: Client, id: string, comment: string): Promise<unknown> {
  return ask(client, commentConditionDocument, { id, comment })
}
