import type { ExecutionResult } from 'graphql'
import type { Database } from '../database/index.ts'
import { type Clock, type Logger, limits } from '../kernel/index.ts'
import type { CompleteResolvers } from './complete.ts'
import { createContext, type GraphqlServices } from './context.ts'
import type { CorsOrigins } from './cors.ts'
import { createDocuments } from './documents.ts'
import { runDocument } from './execute.ts'
import { createHttp, type GraphqlRequest, type Handle } from './http.ts'
import { createRates } from './rates.ts'
import { assetResolvers } from './resolvers/asset.ts'
import { conditionResolvers } from './resolvers/condition.ts'
import { connectorResolvers } from './resolvers/connector.ts'
import { dataTypeResolvers } from './resolvers/data-type.ts'
import { functionLinkResolvers } from './resolvers/function-links.ts'
import { groupResolvers } from './resolvers/group.ts'
import { insightResolvers } from './resolvers/insight.ts'
import { internalInsightResolvers } from './resolvers/internal-insight.ts'
import { peopleResolvers } from './resolvers/people.ts'
import { pipelineResolvers } from './resolvers/pipeline.ts'
import { signalResolvers } from './resolvers/signal.ts'
import { statusResolvers } from './resolvers/status.ts'
import { createSchema } from './schema.ts'
import { startWork } from './work.ts'

export type GraphqlOptions = GraphqlServices & {
  readonly database: Database
  /** Origins of pages that may read answers; none when absent. */
  readonly origins?: CorsOrigins
  readonly clock: Clock
  readonly logger: Logger
  /** The time limit of one request, in milliseconds; limits.graphqlMsMax when absent. */
  readonly requestMsMax?: number
}

export type Graphql = {
  /** Returns whether a URL is `/api/graphql`. */
  owns(url: string): boolean
  /** Answers `POST` (and `GET` for queries) of `/api/graphql`, whole; never rejects. */
  readonly handle: Handle
  close(): Promise<void>
}

export function createGraphql(options: GraphqlOptions): Graphql {
  const { accounts, database, clock, logger, origins = [] } = options
  const { requestMsMax = limits.graphqlMsMax } = options
  const schema = createSchema(resolvers)
  const documents = createDocuments(schema)
  const rates = createRates(options)

  async function run({
    principal,
    prepared,
    use,
    ...request
  }: GraphqlRequest): Promise<ExecutionResult> {
    const startMs = clock.elapsedMs()
    const work = startWork(prepared.selections, requestMsMax)
    const context = createContext(options, principal, work, prepared.names)
    const result = await database.within(work.signal, () =>
      runDocument(schema, prepared, context, request),
    )
    use.cost = work.cost
    const { subject } = principal
    logger.debug({ subject, ms: clock.elapsedMs() - startMs }, 'a GraphQL document was run')
    return result
  }

  const parts = { schema, documents, accounts, rates, clock, logger, origins, requestMsMax, run }
  return {
    owns: (url) => url === '/api/graphql' || url.startsWith('/api/graphql?'),
    handle: createHttp(parts),
    close: () => rates.close(),
  }
}

/** Every field that is more than a property of the row above it. */
const resolvers = {
  ...assetResolvers,
  ...conditionResolvers,
  ...connectorResolvers,
  ...dataTypeResolvers,
  ...functionLinkResolvers,
  ...groupResolvers,
  ...insightResolvers,
  ...peopleResolvers,
  ...pipelineResolvers,
  ...signalResolvers,
  ...statusResolvers,
  Query: {
    ...assetResolvers.Query,
    ...conditionResolvers.Query,
    ...connectorResolvers.Query,
    ...dataTypeResolvers.Query,
    ...groupResolvers.Query,
    ...insightResolvers.Query,
    ...internalInsightResolvers.Query,
    ...peopleResolvers.Query,
    ...pipelineResolvers.Query,
    ...statusResolvers.Query,
  },
  Mutation: {
    ...assetResolvers.Mutation,
    ...conditionResolvers.Mutation,
    ...groupResolvers.Mutation,
    ...peopleResolvers.Mutation,
    ...pipelineResolvers.Mutation,
    ...signalResolvers.Mutation,
  },
  Asset: {
    ...assetResolvers.Asset,
    ...functionLinkResolvers.Asset,
    ...pipelineResolvers.Asset,
    ...statusResolvers.Asset,
  },
  Condition: { ...conditionResolvers.Condition, ...statusResolvers.Condition },
} satisfies CompleteResolvers
