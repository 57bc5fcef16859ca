import { type components, unwrap } from '@millrace/client'
import { type ConsoleOverviewQuery, consoleOverviewDocument } from '../generated/documents.ts'
import type { Client } from './client.ts'
import { ask } from './graphql.ts'

type Schemas = components['schemas']

/** What the overview shows; what the role may not read is absent. */
export type Overview = {
  readonly usage?: Schemas['BusinessUsage']
  readonly failures?: {
    readonly newest: readonly Schemas['StageFailure'][]
    readonly isMore: boolean
  }
  readonly graph: ConsoleOverviewQuery
}

/** The failures that the overview counts; there may be more. */
const failuresCounted = 100

export async function readOverview(
  client: Client,
  permissions: readonly string[],
  signal: AbortSignal | null = null,
): Promise<Overview> {
  const may = (permission: string) => permissions.includes(permission)
  const withAssets = may('View Asset')
  const withConditions = may('View Asset Data') && withAssets
  const query = { limit: failuresCounted }
  const [graph, usage, failures] = await Promise.all([
    ask(client, consoleOverviewDocument, { withAssets, withConditions }, signal),
    may('Setup') ? unwrap(client.GET('/api:1/usage', { signal })) : undefined,
    may('Setup') ? unwrap(client.GET('/api:1/failures', { params: { query }, signal })) : undefined,
  ])
  return {
    graph,
    ...(usage && { usage }),
    ...(failures && {
      failures: { newest: failures.failures, isMore: failures.mayLoadMore },
    }),
  }
}

/** The addresses of a connector's devices, with the authority that they trust. */
export function readAddresses(
  client: Client,
  connector: string,
  signal: AbortSignal | null = null,
): Promise<Schemas['DeviceAddresses']> {
  const params = { path: { connector } }
  return unwrap(client.GET('/api:1/service/{connector}/device2/addresses', { params, signal }))
}
