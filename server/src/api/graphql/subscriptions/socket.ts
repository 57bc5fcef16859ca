import type { ExecutionArgs, FormattedExecutionResult, GraphQLError, GraphQLSchema } from 'graphql'
import { makeServer } from 'graphql-ws'
import { Fault, type Logger } from '../../../foundation/kernel/index.ts'
import type { Accounts, Principal } from '../../../people/accounts/index.ts'
import { formatError } from '../errors.ts'
import type { Credential, GraphqlRequest } from '../http/http.ts'
import { asGraphqlError, getOperation } from '../http/operation.ts'

/** A websocket, as the instance has accepted it. */
export type MessageSocket = {
  readonly protocol: string
  /** Resolves once the text has gone out. */
  send(text: string): Promise<void>
  close(code?: number, reason?: string): void
  onMessage(listener: (text: string) => Promise<void>): void
  onClose(listener: (code: number, reason: string) => void): void
}

export type GraphqlSocketsOptions = {
  readonly schema: GraphQLSchema
  readonly accounts: Accounts
  readonly logger: Logger
  /** Counts the request and prepares its document. @throws Fault */
  readonly prepare: (asked: AskedOperation) => Promise<GraphqlRequest | readonly GraphQLError[]>
  readonly execute: (request: GraphqlRequest) => Promise<object>
  readonly stream: (request: GraphqlRequest, ending: AbortController) => AsyncGenerator<object>
}

export type AskedOperation = {
  readonly principal: Principal
  readonly credential: Credential
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>> | undefined
}

type Extra = { credential: Credential }

/**
 * Speaks the protocol of graphql-ws (`graphql-transport-ws`). The credential comes with the
 * handshake, or as `authorization` of the first message, because pages cannot send headers.
 */
export function createGraphqlSockets(options: GraphqlSocketsOptions) {
  const { schema, accounts, logger } = options
  const server = makeServer<Record<string, unknown>, Extra>({
    async onConnect({ connectionParams, extra }) {
      const given = connectionParams?.authorization ?? connectionParams?.Authorization
      const { address } = extra.credential
      const authorization = typeof given === 'string' ? given : extra.credential.authorization
      try {
        await accounts.authorize(authorization, address)
        extra.credential = { authorization, address }
        return true
      } catch (error) {
        if (error instanceof Fault) return false
        throw error
      }
    },
    async onSubscribe({ extra: { credential } }, _, payload) {
      const { query, operationName, variables } = payload
      try {
        // The credential may have been revoked, or permit less, since the socket was opened.
        const { authorization, address } = credential
        const principal = await accounts.authorize(authorization, address)
        const prepared = await options.prepare({
          principal,
          credential,
          query,
          operationName: operationName ?? undefined,
          variables: variables ?? undefined,
        })
        if (!('prepared' in prepared)) return prepared
        const { document } = prepared.prepared
        const args = { schema, document, operationName: operationName ?? undefined }
        getOperation(document, operationName)
        return { ...args, contextValue: prepared }
      } catch (error) {
        return [asGraphqlError(error)]
      }
    },
    async execute(args: ExecutionArgs) {
      const request = getRequest(args)
      return options.execute(request).finally(() => request.use.end()) as never
    },
    subscribe: (args: ExecutionArgs) => ended(getRequest(args), options.stream) as never,
    // The answers are formatted already.
    onNext: (_, __, ___, ____, result) => result as FormattedExecutionResult,
    onError: (_, __, ___, errors) => errors.map((error) => formatError(error, logger)),
  })

  return (socket: MessageSocket, credential: Credential): void => {
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: (text) => socket.send(text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (listener) => socket.onMessage(listener),
      },
      { credential },
    )
    socket.onClose((code, reason) => void closed(code, reason))
  }
}

/** Ends the subscription when the client takes no more, also while it waits for an event. */
function ended(
  request: GraphqlRequest,
  stream: GraphqlSocketsOptions['stream'],
): AsyncGenerator<object> {
  const ending = new AbortController()
  const answers = stream(request, ending)
  const stop = answers.return.bind(answers)
  return Object.assign(answers, {
    return(value: unknown) {
      ending.abort()
      return stop(value)
    },
  })
}

function getRequest({ contextValue }: ExecutionArgs): GraphqlRequest {
  return contextValue as GraphqlRequest
}
