import { type components, unwrap } from '@millrace/client'
import { type ConsoleOverviewQuery, consoleOverviewDocument } from '../generated/overview.ts'
import type { Client } from './client.ts'
import { get } from './endpoint.ts'
import { countFailures } from './failures.ts'
import { ask } from './graphql.ts'

type Schemas = components['schemas']

/** The contents of the overview; those that the role may not read are absent. */
export type Overview = {
  readonly usage?: Schemas['BusinessUsage']
  readonly failures?: {
    readonly newest: readonly Schemas['StageFailure'][]
    readonly count: number
    /** There may be more than were counted. */
    readonly isMore: boolean
  }
  readonly graph: ConsoleOverviewQuery
}

/** The failures that the overview shows. */
const failuresShown = 5

export async function readOverview(
  client: Client,
  permissions: readonly string[],
  signal: AbortSignal | null = null,
): Promise<Overview> {
  const may = (permission: string) => permissions.includes(permission)
  const withAssets = may('View Asset')
  const withConditions = may('View Asset Data') && withAssets
  const [graph, usage, failures] = await Promise.all([
    ask(client, consoleOverviewDocument, { withAssets, withConditions }, signal),
    may('Setup') ? unwrap(client.GET('/api:1/usage', { signal })) : undefined,
    may('Setup') ? readFailures(client, signal) : undefined,
  ])
  return {
    graph,
    ...(usage && { usage }),
    ...(failures && { failures }),
  }
}

async function readFailures(client: Client, signal: AbortSignal | null) {
  const { stages, most } = await countFailures(client, signal)
  const counts = Object.values(stages)
  const count = counts.reduce((sum, one) => sum + one, 0)
  const query = { limit: failuresShown }
  const newest =
    count === 0
      ? []
      : (await unwrap(client.GET('/api:1/failures', { params: { query }, signal }))).failures
  return { newest, count, isMore: counts.some((one) => one >= most) }
}

/** The addresses of a connector's devices, with the authority that they trust. */
export const readAddresses = get('/api:1/service/{connector}/device2/addresses')
