import type { ServerResponse } from 'node:http'
import { type Clock, Fault, type Logger } from '../../../foundation/kernel/index.ts'
import { type ByteRange, httpDate } from './headers.ts'

/**
 * Device answers are written with header names as they stand here: firmware searches for
 * `Content-Length: ` to the letter, and reads the whole answer into 512 bytes. So: `Date` first,
 * nothing that a device does not need, never chunked, never compressed.
 */
export type Answers = {
  /** A 204: what was written is durable. */
  noContent(response: ServerResponse): void
  text(response: ServerResponse, body: string): void
  /** A read's answer, `a=1&b=2`; with the newest value's time in seconds where it was polled. */
  form(response: ServerResponse, body: string, modifiedS?: number): void
  /** Lines of CSV. */
  csv(response: ServerResponse, body: string): void
  /** The head of a content's bytes, all of them or a range; the caller writes them. */
  download(response: ServerResponse, content: DownloadHead, range: ByteRange | undefined): void
  /** A range that holds no byte of a content of this size. */
  noRange(response: ServerResponse, bytes: number): void
  /** The time of a poll is up. */
  notModified(response: ServerResponse): void
  /** Stamps of one alias too close: the aliases with their stamps, as the field expects it. */
  conflict(response: ServerResponse, body: string): void
  /** A refusal: the status for the device, the code in the body for its log. */
  refuse(response: ServerResponse, fault: Fault, allow?: string): void
  /** A 404 that names the call which does now what a client wants. */
  replaced(response: ServerResponse, by: string): void
  /** Translates anything thrown into a device's answer; the only place that does. */
  failed(response: ServerResponse, thrown: unknown): void
}

/** The properties of a content in the head of a download. */
export type DownloadHead = {
  readonly contentType: string
  readonly bytes: number
  readonly generation: string
  readonly modifiedS: number
}

/** It changes with every upload. */
export function toEtag(generation: string): string {
  return `"${generation}"`
}

const plainText = ['Content-Type', 'text/plain; charset=utf-8']
const csvType = ['Content-Type', 'text/csv; charset=utf-8']
const formType = ['Content-Type', 'application/x-www-form-urlencoded; charset=utf-8']
const msPerSecond = 1_000

export function createAnswers(clock: Clock, logger: Logger): Answers {
  function send(response: ServerResponse, status: number, headers: string[], body: string): void {
    const date = httpDate(Math.floor(clock.nowMs() / msPerSecond))
    const length = String(Buffer.byteLength(body))
    response.sendDate = false
    response.writeHead(status, ['Date', date, ...headers, 'Content-Length', length])
    response.end(body)
  }

  function refuse(response: ServerResponse, fault: Fault, allow?: string): void {
    const headers = [...plainText]
    if (fault.status === 401) headers.push('WWW-Authenticate', 'token, Basic realm="device"')
    if (fault.retryAfterS !== undefined) headers.push('Retry-After', String(fault.retryAfterS))
    if (allow !== undefined) headers.push('Allow', allow)
    send(response, fault.status, headers, fault.code)
  }

  return {
    noContent: (response) => send(response, 204, [], ''),
    text: (response, body) => send(response, 200, plainText, body),
    form(response, body, modifiedS) {
      const modified = modifiedS === undefined ? [] : ['Last-Modified', httpDate(modifiedS)]
      send(response, 200, [...formType, ...modified], body)
    },
    csv: (response, body) => send(response, 200, csvType, body),
    download(response, { contentType, bytes, generation, modifiedS }, range) {
      const { from, to } = range ?? { from: 0, to: bytes }
      response.sendDate = false
      response.writeHead(range === undefined ? 200 : 206, [
        'Date',
        httpDate(Math.floor(clock.nowMs() / msPerSecond)),
        'Content-Type',
        contentType,
        'Accept-Ranges',
        'bytes',
        ...(range === undefined ? [] : ['Content-Range', `bytes ${from}-${to - 1}/${bytes}`]),
        'Last-Modified',
        httpDate(Math.floor(modifiedS)),
        'ETag',
        toEtag(generation),
        'Content-Length',
        String(to - from),
      ])
    },
    noRange(response, bytes) {
      send(response, 416, [...plainText, 'Content-Range', `bytes */${bytes}`], 'range_refused')
    },
    notModified: (response) => send(response, 304, [], ''),
    conflict: (response, body) => send(response, 409, plainText, body),
    refuse,
    replaced: (response, by) => send(response, 404, plainText, `not_found: call ${by}`),
    failed(response, thrown) {
      if (!(thrown instanceof Fault) || thrown.code === 'internal') {
        logger.error({ err: thrown }, 'device request failed')
      }
      if (response.headersSent) response.destroy()
      else refuse(response, thrown instanceof Fault ? thrown : new Fault('internal'))
    },
  }
}
