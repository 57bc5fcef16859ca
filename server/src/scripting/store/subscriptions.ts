import { type Queryable, textArray } from '../../database/index.ts'

export type SubscriptionRow = {
  readonly service: string
  readonly business_id: string
  readonly solution_id: string
}

/** Which solutions have these connectors among their services. */
export function readSubscriptions(
  queryable: Queryable,
  connectorIds: readonly string[],
): Promise<SubscriptionRow[]> {
  return queryable.rows(
    `select service, business_id, solution_id from scripting_configuration
     where service = any($1::text[]) and connector order by service, solution_id`,
    [textArray(connectorIds)],
  )
}
