import type { InsightModule } from '../module/define-module.ts'
import { answerRequest } from './answer.ts'
import { readText, tooLarge } from './body.ts'
import { type HostOptions, makeAnswering } from './options.ts'

/**
 * The options of a handler. `publicHost` is the host in the definition; without it, that of the
 * first request. States last as long as the host keeps this process.
 */
export type HandlerOptions = HostOptions

/** Serves a module on a host that calls a function with a Request for its Response. */
export function fetchHandler(
  module: InsightModule,
  options: HandlerOptions = {},
): (request: Request) => Promise<Response> {
  let host = ''
  const answering = makeAnswering(module, options, () => host)
  return async (request) => {
    const url = new URL(request.url)
    host ||= url.host
    const answer = await answerRequest(answering, {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      header: (name) => request.headers.get(name) ?? undefined,
      text: async (bytesMax) => (request.body ? readText(request.body, bytesMax) : ''),
    })
    return new Response(answer.body, { status: answer.status, headers: answer.headers })
  }
}

/** An event of a function URL or of an API gateway, of either of its formats. */
export type LambdaEvent = {
  readonly rawPath?: string
  readonly rawQueryString?: string
  readonly path?: string
  readonly httpMethod?: string
  readonly queryStringParameters?: { readonly [name: string]: string | undefined } | null
  readonly headers?: { readonly [name: string]: string | undefined } | null
  readonly requestContext?: { readonly http?: { readonly method?: string } }
  readonly body?: string | null
  readonly isBase64Encoded?: boolean
}

export type LambdaResult = {
  readonly statusCode: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** Serves a module as an AWS Lambda function, behind a function URL or an API gateway. */
export function lambdaHandler(
  module: InsightModule,
  options: HandlerOptions = {},
): (event: LambdaEvent) => Promise<LambdaResult> {
  let host = ''
  const answering = makeAnswering(module, options, () => host)
  return async (event) => {
    const header = headerReader(event)
    host ||= header('host') ?? ''
    const answer = await answerRequest(answering, {
      method: event.requestContext?.http?.method ?? event.httpMethod ?? '',
      path: event.rawPath ?? event.path ?? '',
      query: readQuery(event),
      header,
      text: async (bytesMax) => readBody(event, bytesMax),
    })
    return { statusCode: answer.status, headers: answer.headers, body: answer.body }
  }
}

/**
 * The formats differ: names of headers are in lower case in one, and as they were sent in the
 * other.
 */
function headerReader({ headers }: LambdaEvent): (name: string) => string | undefined {
  const byName = new Map(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return (name) => byName.get(name)
}

function readQuery({ rawQueryString, queryStringParameters }: LambdaEvent): URLSearchParams {
  if (rawQueryString !== undefined) return new URLSearchParams(rawQueryString)
  const given = Object.entries(queryStringParameters ?? {})
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, value ?? '']))
}

function readBody({ body, isBase64Encoded }: LambdaEvent, bytesMax: number): string {
  const bytes = Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8')
  if (bytes.length > bytesMax) throw tooLarge(bytesMax)
  return bytes.toString('utf8')
}
