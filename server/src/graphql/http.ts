import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql'
import { createHandler, type OperationArgs, type Response } from 'graphql-http'
import type { Accounts, Principal } from '../accounts/index.ts'
import {
  checkJson,
  Fault,
  faultOf,
  formFields,
  type Logger,
  limits,
  readRequestBody,
} from '../kernel/index.ts'
import type { Documents, PreparedDocument } from './documents.ts'
import { formatError } from './errors.ts'

/** A document that is to be run, and for whom. */
export type GraphqlRequest = {
  readonly principal: Principal
  readonly prepared: PreparedDocument
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>> | undefined
}

export type HttpOptions = {
  readonly schema: GraphQLSchema
  readonly documents: Documents
  readonly accounts: Accounts
  readonly logger: Logger
  readonly run: (operation: GraphqlRequest) => Promise<ExecutionResult>
}

/** Answers one request; never rejects. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Creates the handler of requests. graphql-http reads the request and chooses the status; documents
 * come from the cache and run in our own time limit, and the answer of a run is written without the
 * walk over every value that graphql-http would take.
 */
export function createHttp(options: HttpOptions): Handle {
  const { accounts, logger } = options
  const answer = createAnswer(options)
  return async (request, response) => {
    try {
      const principal = await accounts.authorize(
        request.headers.authorization,
        request.socket.remoteAddress,
      )
      const { method = '', url = '', headers } = request
      const body = method === 'POST' ? await bodyOf(request) : null
      refuseDeep(body ?? variablesIn(url))
      send(response, await answer({ method, url, headers, body, raw: request, context: principal }))
    } catch (thrown) {
      refuse(response, faultOf(thrown), logger)
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return (await readRequestBody(request, limits.graphqlBodyBytesMax)).toString()
}

/** The variables of a GET. @throws Fault too_complex */
function variablesIn(url: string): string {
  const [, query = ''] = url.split(/\?(.*)/s)
  return formFields(query, limits.formFieldsMax).get('variables') ?? ''
}

/** @throws Fault malformed_request */
function refuseDeep(json: string): void {
  try {
    checkJson(json)
  } catch (error) {
    throw new Fault('malformed_request', (error as Error).message, { cause: error })
  }
}

function createAnswer({ schema, documents, logger, run }: HttpOptions) {
  // The result of formatError is only written as JSON, so it need not be an Error.
  const format = (error: unknown) => formatError(error, logger) as GraphQLError
  return createHandler<IncomingMessage, Principal, GraphqlRequest>({
    onSubscribe({ context }, params): OperationArgs<GraphqlRequest> | readonly GraphQLError[] {
      const prepared = documents.prepare(params.query)
      if (!('document' in prepared)) return prepared
      const operationName = params.operationName ?? undefined
      const variables = params.variables ?? undefined
      const operation: GraphqlRequest = { principal: context, prepared, operationName, variables }
      return { schema, document: prepared.document, operationName, contextValue: operation }
    },
    execute: ({ contextValue }) => run(contextValue as GraphqlRequest),
    onOperation(request, _, result): Response {
      const type = negotiate(request.raw.headers.accept)
      return write(result as ExecutionResult, type, format)
    },
    formatError: format,
  })
}

const jsonType = 'application/json; charset=utf-8'

function write(
  result: ExecutionResult,
  type: MediaType,
  format: (error: unknown) => GraphQLError,
): Response {
  const errors = result.errors?.map(format)
  const text = JSON.stringify(errors === undefined ? { data: result.data } : { ...result, errors })
  const headers = { 'content-type': `${type}; charset=utf-8` }
  if (result.data !== undefined || type === 'application/json') {
    return [text, { status: 200, statusText: 'OK', headers }]
  }
  return [text, { status: 400, statusText: 'Bad Request', headers }]
}

function send(response: ServerResponse, [text, { status, headers }]: Response): void {
  const length = text === null ? 0 : Buffer.byteLength(text)
  response.writeHead(status, { ...headers, 'content-length': length })
  response.end(text)
}

function refuse(response: ServerResponse, fault: Fault, logger: Logger): void {
  if (fault.code === 'internal') logger.error({ err: fault.cause ?? fault }, 'GraphQL failed')
  const message = fault.code === 'internal' ? 'internal' : fault.detail
  const text = JSON.stringify({ errors: [{ message, extensions: { code: fault.code } }] })
  response.writeHead(fault.status, {
    ...refusalHeaders(fault),
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

function refusalHeaders(fault: Fault): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'content-type': jsonType }
  if (fault.status === 401) headers['www-authenticate'] = 'Automation realm="Millrace"'
  if (fault.retryAfterS !== undefined) headers['retry-after'] = `${fault.retryAfterS}`
  // The rest of the body was not read, so nothing else can come on this connection.
  if (fault.code === 'too_large') headers.connection = 'close'
  return headers
}

export type MediaType = 'application/json' | 'application/graphql-response+json'

/**
 * Which of the two kinds of answer an `Accept` header asks for, as graphql-http reads it: the first
 * that fits. It has refused the request already where none does.
 */
export function negotiate(accept: string | undefined): MediaType {
  if (accept === undefined || accept === '*/*') return 'application/json'
  for (const range of accept.toLowerCase().split(',')) {
    const [type] = range.trim().split(';')
    if (type === 'application/graphql-response+json') return type
    if (type === 'application/json' || type === 'application/*' || type === '*/*') break
  }
  return 'application/json'
}
