import { createClient, type MillraceClient } from '@millrace/client'

/** The client of this page's server, with the session of whoever is signed in. */
export type Client = MillraceClient

type ClientOptions = {
  /** Scheme, host and port of the server. */
  readonly origin: string
  /** A session's token; undefined before the sign-in. */
  readonly token?: string
  /** Called with the server's time of each answer, in milliseconds since 1970. */
  readonly onServerTime?: (serverMs: number) => void
}

const answerMsMax = 15_000

export function createPageClient({ origin, token, onServerTime }: ClientOptions): Client {
  return createClient({
    url: origin,
    program: 'console',
    timeoutMs: answerMsMax,
    ...(token !== undefined && { credential: { session: token } }),
    async fetch(input, init) {
      const response = await fetch(input, { ...init, cache: 'no-store' })
      const serverMs = Date.parse(response.headers.get('date') ?? '')
      if (response.ok && !Number.isNaN(serverMs)) onServerTime?.(serverMs)
      return response
    },
  })
}
