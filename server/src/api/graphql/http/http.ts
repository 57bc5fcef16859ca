import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import {
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql'
import { createHandler, type OperationArgs, type Request, type Response } from 'graphql-http'
import {
  type Clock,
  Fault,
  isMeasured,
  type Logger,
  nameOperation,
  onClientEnd,
  readPeer,
  toFault,
} from '../../../foundation/kernel/index.ts'
import type { Accounts, Principal, Rates } from '../../../people/accounts/index.ts'
import { formatError } from '../errors.ts'
import type { Documents, PreparedDocument } from '../execution/documents.ts'
import { dataTexts } from '../execution/list-plan.ts'
import { RequestUse } from '../limits/cost.ts'
import { writeEvents } from '../subscriptions/sse.ts'
import { type Acceptable, type MediaType, negotiate } from './accept.ts'
import { encodeTexts } from './bytes.ts'
import { answerPreflight, type CorsOrigins, corsHeaders } from './cors.ts'
import { asksToExplain, explainRequest } from './explain.ts'
import { sendPage, wantsPage } from './explorer.ts'
import { asGraphqlError, getOperation, isSubscription } from './operation.ts'
import { toRefusal } from './refusal.ts'
import { readBody, readContentType, readParams, refuseContent } from './request.ts'

/** A document that is to be run, and for whom. */
export type GraphqlRequest = {
  readonly principal: Principal
  readonly prepared: PreparedDocument
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly use: RequestUse
  readonly credential: Credential
}

/** The credential of the caller, to be checked again. */
export type Credential = {
  readonly authorization: string | undefined
  readonly address: string | undefined
}

export type HttpOptions = {
  readonly schema: GraphQLSchema
  readonly documents: Documents
  readonly accounts: Accounts
  readonly rates: Rates
  readonly clock: Clock
  readonly logger: Logger
  readonly origins: CorsOrigins
  /** The time limit of one request, in milliseconds. */
  readonly requestMsMax: number
  readonly run: (operation: GraphqlRequest) => Promise<ExecutionResult>
  /** Runs a subscription, or another operation as a stream of one answer. */
  readonly stream: (operation: GraphqlRequest, ending: AbortController) => AsyncIterable<object>
}

type Cors = Readonly<Record<string, string>>

const okStatus = 200

/** Answers one request; never rejects. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The sender of a request, and what it has used. */
type Caller = Pick<GraphqlRequest, 'principal' | 'use' | 'credential'> & {
  /** The kind of an answer that comes whole. */
  readonly type: MediaType
}

/**
 * Creates the handler of requests. graphql-http reads the request and chooses the status; documents
 * come from the cache and run in our own time limit, and the answer of a run is written without the
 * walk over every value that graphql-http would take.
 */
export function createHttp(options: HttpOptions): Handle {
  const { accounts, rates, clock, logger, origins, requestMsMax } = options
  const answer = createAnswer(options)
  const events = createEventAnswer(options)
  const explained = async (asked: Asked, response: ServerResponse, cors: Cors) => {
    const { answer: text, explanation } = await explainRequest(options, asked)
    const headers = { 'content-type': `${asked.context.type}; charset=utf-8`, ...cors }
    const more = explanation && { explain: explanation }
    const whole = withCost(JSON.stringify(text), asked.context.use, more)
    response.writeHead(okStatus, { ...headers, 'content-length': Buffer.byteLength(whole) })
    response.end(whole)
  }
  return async (request, response) => {
    const { method = '', url = '', headers } = request
    const accepted = negotiate(headers.accept)
    const { whole: type = 'application/json' } = accepted
    const cors = corsHeaders(headers, origins)
    if (method === 'OPTIONS') return answerPreflight(response, cors)
    const use = new RequestUse(requestMsMax, clock.elapsedMs)
    let known = false
    try {
      if (wantsPage(request)) return await sendPage(request, response)
      const authorization = readAuthorization(headers)
      const credential = { authorization, address: readAddress(request) }
      const principal = await accounts.authorize(authorization, credential.address)
      const [rate, body] = await Promise.all([
        rates.begin(principal),
        method === 'POST' ? readBody(request) : null,
      ])
      use.count(rate)
      known = true
      refuseContent(body, url)
      const context: Caller = { principal, use, credential, type }
      const plain = { accept: type, 'content-type': readContentType(headers) }
      const asked: Asked = { method, url, headers: plain, body, raw: request, context }
      if (await events(asked, accepted, response, cors)) return
      if (accepted.whole === undefined) throw new Fault('not_acceptable')
      if (asksToExplain(url)) await explained(asked, response, cors)
      else {
        const answered = await answer(asked)
        // graphql-http answers without a body if it does not read the media type of the request.
        if (answered[1].status === 415) throw new Fault('wrong_content_type')
        send(response, answered, use, cors)
      }
    } catch (thrown) {
      refuse(response, toFault(thrown), { type, logger, cors, use, known })
    } finally {
      use.end()
    }
  }
}

/** `X-API-Key` is another way to send an API token. */
export function readAuthorization(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key']
  if (headers.authorization !== undefined || typeof key !== 'string') return headers.authorization
  return `Automation ${key}`
}

export const readAddress = (request: IncomingMessage) => readPeer(request).ip

type Asked = Request<IncomingMessage, Caller>

/**
 * Answers over server-sent events, the errors of the document too, if the client accepts them.
 * Returns false if it does not, or prefers a whole answer to what is no subscription.
 */
function createEventAnswer({ documents, logger, stream }: HttpOptions) {
  return async (
    asked: Asked,
    accepted: Acceptable,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
  ): Promise<boolean> => {
    if (accepted.events === undefined) return false
    const params = await readParams(asked)
    const { query, operationName = null, variables = null } = params
    const prepared = documents.prepare(query)
    const isLasting = 'document' in prepared && isSubscription(prepared.document, operationName)
    if (!isLasting && accepted.events !== 'first') return false
    const ending = new AbortController()
    response.once('close', () => ending.abort())
    if (isLasting) onClientEnd(response, () => response.destroy())
    const answers =
      'document' in prepared
        ? stream(
            {
              prepared,
              ...asked.context,
              operationName: operationName ?? undefined,
              variables: variables ?? undefined,
            },
            ending,
          )
        : only({ errors: prepared.map((error) => formatError(error, logger)) })
    await writeEvents(response, answers, { headers, signal: ending.signal })
    return true
  }
}

async function* only<Item>(item: Item): AsyncGenerator<Item> {
  yield item
}

function createAnswer({ schema, documents, logger, run }: HttpOptions) {
  // The result of formatError is only written as JSON, so it need not be an Error.
  const format = (error: unknown) => formatError(error, logger) as GraphQLError
  return createHandler<IncomingMessage, Caller, GraphqlRequest>({
    onSubscribe({ context, raw }, params): OperationArgs<GraphqlRequest> | readonly GraphQLError[] {
      const prepared = documents.prepare(params.query)
      if (!('document' in prepared)) return prepared
      const operationName = params.operationName ?? undefined
      const variables = params.variables ?? undefined
      try {
        const found = getOperation(prepared.document, operationName)
        if (found.operation === OperationTypeNode.SUBSCRIPTION) throw withoutStream()
        if (isMeasured('request')) nameOperation(raw, describeOperation(found))
      } catch (error) {
        return [asGraphqlError(error)]
      }
      const operation: GraphqlRequest = { ...context, prepared, operationName, variables }
      return { schema, document: prepared.document, operationName, contextValue: operation }
    },
    execute: ({ contextValue }) => run(contextValue as GraphqlRequest),
    onOperation(request, _, result): Response {
      const { type, use } = request.context
      return write(result as ExecutionResult, type, format, use)
    },
    formatError: format,
  })
}

const withoutStream = () =>
  new Fault('invalid_argument', 'A subscription needs `Accept: text/event-stream`, or a WebSocket.')

/** The kind of an operation, and the first fields of the schema that it asks for. */
function describeOperation({ operation, selectionSet }: OperationDefinitionNode): string {
  const fields = selectionSet.selections
  const names = fields.flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : []))
  return [operation, ...names.slice(0, fieldsNamed)].join(' ')
}

const fieldsNamed = 3

function write(
  result: ExecutionResult,
  type: MediaType,
  format: (error: unknown) => GraphQLError,
  use: RequestUse,
): Response {
  const errors = result.errors?.map(format)
  const texts =
    errors === undefined
      ? ['{"data":', ...dataTexts(result.data), `,${formatExtensions(use)}}`]
      : [withCost(JSON.stringify({ ...result, errors }), use)]
  const headers = { 'content-type': `${type}; charset=utf-8` }
  const isRun = result.data !== undefined || type === 'application/json'
  return [null, new WholeAnswer(isRun ? 200 : 400, headers, encodeTexts(texts))]
}

/** An answer with its bytes, which graphql-http has no place for. */
class WholeAnswer {
  readonly status: number
  readonly statusText: string
  readonly headers: Record<string, string>
  readonly bytes: Buffer

  constructor(status: number, headers: Record<string, string>, bytes: Buffer) {
    this.status = status
    this.statusText = STATUS_CODES[status] ?? ''
    this.headers = headers
    this.bytes = bytes
  }
}

function send(
  response: ServerResponse,
  [body, answer]: Response,
  use: RequestUse,
  cors: Readonly<Record<string, string>>,
): void {
  const bytes =
    answer instanceof WholeAnswer
      ? answer.bytes
      : encodeTexts(body === null ? [] : [withCost(body, use)])
  const length = bytes.byteLength
  response.writeHead(answer.status, { ...cors, ...answer.headers, 'content-length': length })
  response.end(bytes)
}

/** Adds `extensions` to the text of an answer, an object with `data` or `errors`. */
function withCost(text: string, use: RequestUse, more: object = {}): string {
  return `${text.slice(0, -1)},${formatExtensions(use, more)}}`
}

function formatExtensions(use: RequestUse, more: object = {}): string {
  return `"extensions":${JSON.stringify({ ...more, cost: use.report() })}`
}

type RefuseOptions = {
  readonly type: MediaType
  readonly logger: Logger
  readonly cors: Readonly<Record<string, string>>
  readonly use: RequestUse
  /** True if the caller is known, and may read what the request has cost. */
  readonly known: boolean
}

function refuse(response: ServerResponse, fault: Fault, options: RefuseOptions): void {
  const { type, logger, cors, use, known } = options
  if (fault.code === 'internal') logger.error({ err: fault.cause ?? fault }, 'GraphQL failed')
  const { status, headers, text } = toRefusal(fault, type)
  const whole = known ? withCost(text, use) : text
  const length = Buffer.byteLength(whole)
  response.writeHead(status, { ...cors, ...headers, 'content-length': length })
  response.end(whole)
}
