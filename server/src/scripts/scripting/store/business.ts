import {
  type BusinessRows,
  type Queryable,
  readDependants,
  rowsByScan,
} from '../../../foundation/database/index.ts'
import type { Dependants } from '../../../foundation/kernel/index.ts'

/** The rows that are left of a business once its solutions are removed. */
export const scriptingRows: BusinessRows = rowsByScan('scripting_cursor')

export function solutionDependants(
  queryable: Queryable,
  businessId: string,
): Promise<Dependants[]> {
  const from = 'scripting_solution where business_id = $1'
  const asked = { effect: 'deleted', values: [businessId] } as const
  return readDependants(queryable, asked, [{ kind: 'solutions', from, name: 'id' }])
}

/** Services of solutions by which they use a connector: they go with it. */
export function connectorServices(
  queryable: Queryable,
  businessId: string,
  connectorId: string,
): Promise<Dependants[]> {
  const from = 'scripting_configuration where business_id = $1 and service = $2 and connector'
  const name = "solution_id || '/' || alias"
  const asked = { effect: 'deleted', values: [businessId, connectorId] } as const
  return readDependants(queryable, asked, [{ kind: 'services', from, name }])
}

/** Services by which other solutions use a solution: they lose them. */
export function solutionSubscribers(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<Dependants[]> {
  const from = 'scripting_configuration where service = $2 and not connector'
  const name = `case when business_id = $1 then solution_id || '/' || alias
                else 'of another business' end`
  const asked = { effect: 'deleted', values: [businessId, solutionId] } as const
  return readDependants(queryable, asked, [{ kind: 'services', from, name }])
}
