import { readEvents } from '@millrace/client'

type Asked = {
  readonly query: string
  readonly operationName?: string | null
  readonly variables?: unknown
}
type Options = { readonly headers?: Readonly<Record<string, unknown>> }
type Result = Record<string, unknown>

/** The server's statements beside an answer. */
export type AnswerExtensions = {
  readonly cost?: {
    readonly usage: { readonly time: number; readonly cost: number }
    readonly limits: { readonly time: number; readonly cost: number }
  }
  /** The cost of a document that was not run. */
  readonly explain?: {
    readonly cost: number
    readonly limit: number
    readonly rows: number
    readonly passes: boolean
    readonly dearest: { readonly path: string; readonly cost: number } | null
  }
}

type FetcherOptions = {
  /** The authorization if the headers have none: GraphiQL reads the schema before it has any. */
  readonly authorization: string | undefined
  /** Returns whether documents are explained instead of run. */
  readonly explains: () => boolean
  readonly onAnswer: (extensions: AnswerExtensions) => void
}

/** GraphiQL reads the schema by a query of this name. */
const schemaQuery = 'IntrospectionQuery'

/**
 * Sends what GraphiQL asks for. A subscription is read as server-sent events; a refusal is shown as
 * it came.
 */
export function createFetcher(origin: string, options: FetcherOptions) {
  const { authorization, explains, onAnswer } = options
  return async (asked: Asked, given: Options = {}): Promise<Result | AsyncGenerator<Result>> => {
    const isSchema = asked.operationName === schemaQuery
    const isExplained = !isSchema && explains()
    const isStream = !isExplained && isSubscription(asked)
    const response = await fetch(`${origin}/api/graphql${isExplained ? '?explain' : ''}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: isStream ? 'text/event-stream' : 'application/json',
        ...(authorization !== undefined && { authorization }),
        ...toHeaders(given),
      },
      body: JSON.stringify(asked),
      // A browser would ask for a password by itself after a 401.
      credentials: 'omit',
    })
    if (isStream && response.ok) return readAnswers(response)
    const answer = (await response.json()) as Result
    if (!isSchema) onAnswer((answer.extensions ?? {}) as AnswerExtensions)
    return answer
  }
}

/** The last `subscription` with the name that is asked for, or the only operation. */
function isSubscription({ query, operationName }: Asked): boolean {
  const text = query.replaceAll(/#.*/g, '')
  const name = operationName ? `\\s+${operationName}\\b` : ''
  return new RegExp(`(^|[}\\s])subscription${name}\\s*[\\w({@]`).test(text)
}

function toHeaders({ headers = {} }: Options): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value])) as Record<
    string,
    string
  >
}

async function* readAnswers(response: Response): AsyncGenerator<Result> {
  for await (const { event, data } of readEvents(response)) {
    if (event === 'complete') return
    if (event === 'next') yield data as Result
  }
}
