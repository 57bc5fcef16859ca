import type { IncomingHttpHeaders } from 'node:http'
import type { Queryable } from '../../../../foundation/database/index.ts'
import { matchesTag } from '../../../../foundation/kernel/index.ts'
import type { EndpointAnswer } from '../answer.ts'
import { type EndpointRequest, partsOfUri } from '../endpoint-request.ts'
import type { HeaderPair } from '../headers.ts'
import { parseRange } from '../ranges.ts'
import { findStatic, readStatic, type StoredStaticFile } from '../store/static-files.ts'

/**
 * Answers with a static file of the solution; undefined if there is none at the path. Only on the
 * solution's own host: elsewhere its pages would share an origin with the console.
 */
export async function serveStatic(
  database: Queryable,
  { message, served, settings, shared, uri }: EndpointRequest,
): Promise<EndpointAnswer | undefined> {
  const { method = 'GET', headers } = message
  if (shared || (method !== 'GET' && method !== 'HEAD')) return undefined
  const parts = partsOfUri(uri)
  // A part that holds a slash is another path than its letters.
  if (parts.some((part) => /[/\\\0]/.test(part))) return undefined
  const path = parts.join('/')
  const isFolder = path === '' || path.endsWith('/')
  const file = await findStatic(
    database,
    served.solutionId,
    isFolder ? `${path}${settings.defaultPage}` : path,
  )
  if (file === undefined) return undefined
  return (await answerWith(database, served.solutionId, file, headers)) ?? undefined
}

async function answerWith(
  database: Queryable,
  solutionId: string,
  file: StoredStaticFile,
  asked: IncomingHttpHeaders,
): Promise<EndpointAnswer | undefined> {
  const range = parseRange(asked, { bytes: file.bytes, etag: `"${file.etag}"` })
  const isGzipped = range === undefined && file.gzippedBytes !== null && takesGzip(asked)
  const etag = isGzipped ? `"${file.etag}-gzip"` : `"${file.etag}"`
  const headers = makeHeaders(file, etag)
  // Either form of the file is the same file.
  if (matchesTag(asked['if-none-match'], [`"${file.etag}"`, `"${file.etag}-gzip"`])) {
    return { status: 304, headers, body: undefined }
  }
  if (range === 'none') {
    const size: HeaderPair = ['Content-Range', `bytes */${file.bytes}`]
    return { status: 416, headers: [...headers, size], body: Buffer.alloc(0) }
  }
  const whole = { start: 0, length: isGzipped ? (file.gzippedBytes ?? 0) : file.bytes }
  const part = { ...(range ?? whole), isGzipped }
  const body = await readStatic(database, solutionId, file, part)
  // It was replaced between the two reads; the next request has the new one.
  if (body === undefined) return undefined
  const more: HeaderPair[] = isGzipped ? [['Content-Encoding', 'gzip']] : []
  if (range === undefined) return { status: 200, headers: [...headers, ...more], body }
  const last = range.start + range.length - 1
  const shown: HeaderPair = ['Content-Range', `bytes ${range.start}-${last}/${file.bytes}`]
  return { status: 206, headers: [...headers, shown], body }
}

const usPerMs = 1_000

function makeHeaders({ contentType, updatedAt }: StoredStaticFile, etag: string): HeaderPair[] {
  return [
    ['Content-Type', contentType],
    ['ETag', etag],
    ['Last-Modified', new Date(updatedAt / usPerMs).toUTCString()],
    ['Cache-Control', 'no-cache'],
    ['Accept-Ranges', 'bytes'],
    ['Vary', 'Accept-Encoding'],
    ['X-Content-Type-Options', 'nosniff'],
  ]
}

/** True if gzip is named with another weight than 0. */
function takesGzip({ 'accept-encoding': header = '' }: IncomingHttpHeaders): boolean {
  return String(header)
    .split(',')
    .some((one) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(one))
}
