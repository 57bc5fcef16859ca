import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Secrets } from '../../devices/provisioning/index.ts'
import type { Database } from '../../foundation/database/index.ts'
import { type Clock, type Logger, limits } from '../../foundation/kernel/index.ts'
import type { Rates } from '../../people/accounts/index.ts'
import type { CompleteResolvers } from './complete-resolvers.ts'
import type { GraphqlServices } from './context.ts'
import { createDocuments } from './execution/documents.ts'
import { createRunner } from './execution/runner.ts'
import type { CorsOrigins } from './http/cors.ts'
import { createHttp, type Handle, readAddress, readAuthorization } from './http/http.ts'
import { RequestUse } from './limits/cost.ts'
import { assetResolvers } from './resolvers/asset.ts'
import { conditionResolvers } from './resolvers/condition.ts'
import { connectorResolvers } from './resolvers/connector.ts'
import { dataTypeResolvers } from './resolvers/data-type.ts'
import { deviceResolvers } from './resolvers/device.ts'
import { eventLogResolvers } from './resolvers/event-log.ts'
import { functionLinkResolvers } from './resolvers/function-links.ts'
import { groupResolvers } from './resolvers/group.ts'
import { insightResolvers } from './resolvers/insight.ts'
import { internalInsightResolvers } from './resolvers/internal-insight.ts'
import { peopleResolvers } from './resolvers/people.ts'
import { pipelineResolvers } from './resolvers/pipeline.ts'
import { policyResolvers } from './resolvers/policy.ts'
import { reportResolvers } from './resolvers/report.ts'
import { signalResolvers } from './resolvers/signal.ts'
import { statusResolvers } from './resolvers/status.ts'
import { templateResolvers } from './resolvers/template.ts'
import { createSchema, readSchema } from './schema.ts'
import {
  type AskedOperation,
  createGraphqlSockets,
  type MessageSocket,
} from './subscriptions/socket.ts'
import { sources } from './subscriptions/sources.ts'

export type GraphqlOptions = GraphqlServices & {
  readonly database: Database
  /** Seals answers that are stored. */
  readonly secrets: Pick<Secrets, 'seal' | 'open'>
  /** Origins of pages that may read answers; none when absent. */
  readonly origins?: CorsOrigins
  /** Counts the requests of callers. */
  readonly rates: Rates
  readonly clock: Clock
  readonly logger: Logger
  /** Makes a websocket of a handshake; without it there are none. */
  readonly webservice?: { readonly acceptSocket: AcceptSocket }
  /** The time limit of one request, in milliseconds; limits.graphqlMsMax when absent. */
  readonly requestMsMax?: number
}

type AcceptSocket = (
  message: IncomingMessage,
  socket: Socket,
  head: Buffer,
  accepted: (socket: MessageSocket) => void,
) => void

export type Graphql = {
  /** Returns whether a URL is `/api/graphql`. */
  owns(url: string): boolean
  /** Answers `POST` (and `GET` for queries) of `/api/graphql`, whole; never rejects. */
  readonly handle: Handle
  /** Makes a websocket of a handshake for `/api/graphql`. */
  upgrade(message: IncomingMessage, socket: Socket, head: Buffer): void
  /** Ends the subscriptions, which would keep a server from closing. */
  endStreams(): void
}

export function createGraphql(options: GraphqlOptions): Graphql {
  const { accounts, rates, clock, logger, origins = [] } = options
  const { requestMsMax = limits.graphqlMsMax } = options
  const schema = createSchema(resolvers, readSchema(), sources)
  const documents = createDocuments(schema)

  const { run, execute, stream, endStreams } = createRunner(options, schema, requestMsMax)

  async function prepare({ query, ...asked }: AskedOperation) {
    const use = new RequestUse(requestMsMax, clock.elapsedMs)
    use.count(await rates.begin(asked.principal))
    const prepared = documents.prepare(query)
    return 'document' in prepared ? { ...asked, prepared, use } : prepared
  }

  const openSocket = createGraphqlSockets({ schema, accounts, logger, prepare, execute, stream })
  const parts = { schema, documents, accounts, rates, clock, logger, origins, requestMsMax }
  return {
    owns: (url) => /^\/api\/graphql\/?(?:\?|$)/.test(url),
    handle: createHttp({ ...parts, run, stream }),
    upgrade(message, socket, head) {
      const { webservice } = options
      if (webservice === undefined) return void socket.destroy()
      const authorization = readAuthorization(message.headers)
      const credential = { authorization, address: readAddress(message) }
      webservice.acceptSocket(message, socket, head, (opened) => openSocket(opened, credential))
    },
    endStreams,
  }
}

/** Every field that is more than a property of the row above it. */
const resolvers = {
  ...assetResolvers,
  ...conditionResolvers,
  ...connectorResolvers,
  ...dataTypeResolvers,
  ...deviceResolvers,
  ...eventLogResolvers,
  ...functionLinkResolvers,
  ...groupResolvers,
  ...insightResolvers,
  ...peopleResolvers,
  ...pipelineResolvers,
  ...reportResolvers,
  ...policyResolvers,
  ...signalResolvers,
  ...statusResolvers,
  ...templateResolvers,
  Query: {
    ...assetResolvers.Query,
    ...conditionResolvers.Query,
    ...connectorResolvers.Query,
    ...dataTypeResolvers.Query,
    ...deviceResolvers.Query,
    ...eventLogResolvers.Query,
    ...groupResolvers.Query,
    ...insightResolvers.Query,
    ...internalInsightResolvers.Query,
    ...peopleResolvers.Query,
    ...pipelineResolvers.Query,
    ...reportResolvers.Query,
    ...policyResolvers.Query,
    ...signalResolvers.Query,
    ...statusResolvers.Query,
    ...templateResolvers.Query,
  },
  Mutation: {
    ...assetResolvers.Mutation,
    ...conditionResolvers.Mutation,
    ...connectorResolvers.Mutation,
    ...deviceResolvers.Mutation,
    ...groupResolvers.Mutation,
    ...peopleResolvers.Mutation,
    ...pipelineResolvers.Mutation,
    ...reportResolvers.Mutation,
    ...policyResolvers.Mutation,
    ...signalResolvers.Mutation,
    ...templateResolvers.Mutation,
  },
  Asset: {
    ...assetResolvers.Asset,
    ...functionLinkResolvers.Asset,
    ...pipelineResolvers.Asset,
    ...statusResolvers.Asset,
  },
  Condition: { ...conditionResolvers.Condition, ...statusResolvers.Condition },
} satisfies CompleteResolvers
