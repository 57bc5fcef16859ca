import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { parseRequestParams, type Request, type RequestParams } from 'graphql-http'
import {
  checkJson,
  Fault,
  formFields,
  limits,
  parseJson,
  readRequestBody,
  refuseCompressed,
  requireText,
} from '../../../foundation/kernel/index.ts'

/** @throws Fault wrong_content_type, too_large, malformed_request */
export async function readBody(request: IncomingMessage): Promise<string> {
  refuseCompressed(request)
  return requireText(await readRequestBody(request, limits.graphqlBodyBytesMax))
}

/** The media type; with its charset if that is not UTF-8, which graphql-http refuses. */
export function readContentType({ 'content-type': header = '' }: IncomingHttpHeaders): string {
  const [type = ''] = header.split(';', 1)
  const [, charset = 'utf-8'] = /;\s*charset="?([^";\s]*)/i.exec(header) ?? []
  return /^utf-?8$/i.test(charset) ? type : `${type};charset=${charset}`
}

/**
 * Refuses a request by what it brings, before anything of it is run.
 * @param body null for a GET.
 * @throws Fault malformed_request, too_complex, persisted_query_not_supported
 */
export function refuseContent(body: string | null, url: string): void {
  if (body?.trimStart().startsWith('[')) {
    throw new Fault(
      'malformed_request',
      'The body must be one JSON object with `query`, not a list.',
    )
  }
  const [, query = ''] = url.split(/\?(.*)/s)
  const fields = body === null ? formFields(query, limits.formFieldsMax) : new URLSearchParams()
  refuseDeep(body ?? fields.get('variables') ?? '')
  const mayBeHash = (body ?? fields.get('extensions'))?.includes('"persistedQuery"')
  if (!mayBeHash) return
  // Its clients know the message, and send the document then.
  const lacksQuery = body === null ? !fields.has('query') : lacksDocument(body)
  if (lacksQuery) throw new Fault('persisted_query_not_supported')
}

function refuseDeep(json: string): void {
  try {
    checkJson(json)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('malformed_request', (error as Error).message, { cause: error })
  }
}

function lacksDocument(body: string): boolean {
  try {
    return (parseJson(body) as { readonly query?: unknown } | null)?.query == null
  } catch {
    // It is refused as no JSON.
    return false
  }
}

/** @throws Fault malformed_request, wrong_content_type */
export async function readParams<Raw, Context>(
  asked: Request<Raw, Context>,
): Promise<RequestParams> {
  const params = await parseRequestParams(asked).catch((cause: Error) => {
    throw new Fault('malformed_request', cause.message, { cause })
  })
  if ('query' in params) return params
  const [, { status }] = params
  throw new Fault(status === 415 ? 'wrong_content_type' : 'malformed_request')
}
