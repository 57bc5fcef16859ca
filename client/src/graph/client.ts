import { type ClientOptions, createClient, type MillraceClient } from '../client.ts'
import { errorIn, toError } from '../errors.ts'
import { parseEventStream, pause } from '../events.ts'
import type { GraphDocument } from './document.ts'
import { type GraphCost, RateLimitError, toGraphError } from './errors.ts'

export type GraphClientOptions = Omit<ClientOptions, 'business'> & {
  /**
   * The number of times that a request waits for a new window of its API token before it fails; 3
   * when absent.
   */
  readonly retries?: number
}

export type AskOptions = {
  readonly signal?: AbortSignal
  readonly operationName?: string
  /** Called with what the answer has cost. */
  readonly cost?: (cost: GraphCost) => void
}

export type SubscribeOptions = Pick<AskOptions, 'signal' | 'operationName'>

/** Variables may be left out where none is required. */
type Given<Variables, Options> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: Options]
    : [variables: Variables, options?: Options]

/** Asks the graph API, `POST /api/graphql`. */
export type GraphClient = {
  /**
   * Runs a query or a mutation. A field that failed fails the whole; `data` of the error has the
   * rest.
   * @throws GraphError, RateLimitError, ApiError without an answer of this API
   */
  ask<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    ...given: Given<Variables, AskOptions>
  ): Promise<Data>
  /**
   * Runs a subscription over server-sent events, until the signal is aborted, the loop is left, or
   * the instance ends it. It does not begin again by itself: pass a position to go on from.
   * @throws as `ask`
   */
  subscribe<Data, Variables>(
    document: GraphDocument<Data, Variables>,
    ...given: Given<Variables, SubscribeOptions>
  ): AsyncGenerator<Data, void>
}

type Body = {
  readonly data?: unknown
  readonly errors?: unknown
  readonly extensions?: { readonly cost?: GraphCost }
}

const path = '/api/graphql'
const retriesPreset = 3
const secondMs = 1_000

export function createGraphClient({
  retries = retriesPreset,
  ...options
}: GraphClientOptions): GraphClient {
  const client = createClient(options)
  return {
    async ask(document, ...[variables, own = {}]) {
      const send = () => askOnce(client, encodeBody(document, variables, own), own)
      for (let left = retries; ; left -= 1) {
        try {
          return (await send()) as never
        } catch (error) {
          if (!(error instanceof RateLimitError) || left === 0) throw error
          await pause((error.retryAfterS ?? 1) * secondMs, own.signal)
          own.signal?.throwIfAborted()
        }
      }
    },
    async *subscribe(document, ...[variables, own = {}]) {
      const body = encodeBody(document, variables, own)
      const accept = 'text/event-stream'
      const response = await send(client, body, accept, own.signal)
      const type = response.headers.get('content-type') ?? ''
      if (!response.ok || !type.startsWith(accept)) throw await errorIn(response)
      try {
        for await (const { event, data } of parseEventStream(response)) {
          if (event === 'complete') return
          if (event === 'next') yield readData(data as Body, response) as never
        }
      } catch (error) {
        if (own.signal?.aborted !== true) throw error
      }
    },
  }
}

function encodeBody(
  document: { toString(): string },
  variables: unknown,
  { operationName }: SubscribeOptions,
): string {
  return JSON.stringify({ query: document.toString(), variables, operationName })
}

function send(
  client: MillraceClient,
  body: string,
  accept: string,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept }
  return client.request(path, { method: 'POST', headers, body, ...(signal && { signal }) })
}

async function askOnce(client: MillraceClient, body: string, { signal, cost }: AskOptions) {
  const response = await send(client, body, 'application/json', signal)
  const answer = (await response.json().catch(() => undefined)) as Body | undefined
  if (answer === undefined || (answer.data === undefined && answer.errors === undefined)) {
    throw toError(response, answer)
  }
  if (answer.extensions?.cost !== undefined) cost?.(answer.extensions.cost)
  return readData(answer, response)
}

function readData({ data, errors }: Body, { status, headers }: Response): unknown {
  const seconds = headers.get('retry-after')
  const retryAfterS = seconds === null ? undefined : Number(seconds)
  const error = toGraphError({ errors, data, status, retryAfterS })
  if (error !== undefined) throw error
  return data
}
