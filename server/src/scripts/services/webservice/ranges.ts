import type { IncomingHttpHeaders } from 'node:http'

/** A range of bytes of a file. */
export type FileRange = { readonly start: number; readonly length: number }

/**
 * Reads one range; several, or one that cannot be read, mean the whole. `none`: it is past the end.
 */
export function parseRange(
  { range: header, 'if-range': condition }: IncomingHttpHeaders,
  { bytes, etag }: { readonly bytes: number; readonly etag: string },
): FileRange | 'none' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (match === null || (condition !== undefined && condition !== etag)) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  if (start >= bytes || end < start) return 'none'
  return { start, length: end - start + 1 }
}

/** A part of an upload by its `Content-Range`. `query` asks for the end of what is stored. */
type UploadPart = { readonly first: number; readonly length: number; readonly isLast: boolean }
export type UploadRange = { readonly kind: 'query' } | ({ readonly kind: 'part' } & UploadPart)

/** @returns undefined if the header is none of an upload */
export function parseUploadRange(header: string): UploadRange | undefined {
  if (/^bytes \*\/\d{1,15}$/.test(header)) return { kind: 'query' }
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header)
  if (match === null) return undefined
  const [first = 0, last = 0, total = 0] = match.slice(1).map(Number)
  if (last < first || last >= total) return undefined
  return { kind: 'part', first, length: last - first + 1, isLast: last === total - 1 }
}
