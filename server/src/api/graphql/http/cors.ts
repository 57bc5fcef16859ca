import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/** The time for which a browser keeps the answer about another origin's page. */
const corsPreflightS = 600

/** The origins of pages that may read answers; `*`: every page. A token is needed all the same. */
export type CorsOrigins = readonly string[]

/** The headers that let the page of another origin read the answer; none for other pages. */
export function corsHeaders(
  { origin }: IncomingHttpHeaders,
  origins: CorsOrigins,
): Readonly<Record<string, string>> {
  const any = origins.includes('*')
  if (origin === undefined || origins.length === 0) return {}
  if (!any && !origins.includes(origin.toLowerCase())) return { vary: 'Origin' }
  return {
    'access-control-allow-origin': any ? '*' : origin,
    'access-control-expose-headers': 'Retry-After, X-Request-Id',
    ...(any ? {} : { vary: 'Origin' }),
  }
}

/** Answers the request by which a browser asks whether a page may send another one. */
export function answerPreflight(
  response: ServerResponse,
  cors: Readonly<Record<string, string>>,
): void {
  response.writeHead(204, {
    ...cors,
    allow: 'GET, POST, OPTIONS',
    ...('access-control-allow-origin' in cors && {
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type, Accept, X-API-Key',
      'access-control-max-age': `${corsPreflightS}`,
    }),
  })
  response.end()
}
