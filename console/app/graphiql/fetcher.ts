import { readEvents } from '@millrace/client'

type Asked = {
  readonly query: string
  readonly operationName?: string | null
  readonly variables?: unknown
}
type Options = { readonly headers?: Readonly<Record<string, unknown>> }
type Result = Record<string, unknown>

/**
 * Sends what GraphiQL asks for. A subscription is read as server-sent events; a refusal is shown as
 * it came.
 * @param authorization where the headers have none: GraphiQL reads the schema before it has any
 */
export function createFetcher(origin: string, authorization?: string) {
  return async (asked: Asked, options: Options = {}): Promise<Result | AsyncGenerator<Result>> => {
    const isStream = isSubscription(asked)
    const response = await fetch(`${origin}/api/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: isStream ? 'text/event-stream' : 'application/json',
        ...(authorization !== undefined && { authorization }),
        ...headersOf(options),
      },
      body: JSON.stringify(asked),
      // A browser would ask for a password by itself after a 401.
      credentials: 'omit',
    })
    if (isStream && response.ok) return answersOf(response)
    return (await response.json()) as Result
  }
}

/** The last `subscription` with the name that is asked for, or the only operation. */
function isSubscription({ query, operationName }: Asked): boolean {
  const text = query.replaceAll(/#.*/g, '')
  const name = operationName ? `\\s+${operationName}\\b` : ''
  return new RegExp(`(^|[}\\s])subscription${name}\\s*[\\w({@]`).test(text)
}

function headersOf({ headers = {} }: Options): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value])) as Record<
    string,
    string
  >
}

async function* answersOf(response: Response): AsyncGenerator<Result> {
  for await (const { event, data } of readEvents(response)) {
    if (event === 'complete') return
    if (event === 'next') yield data as Result
  }
}
