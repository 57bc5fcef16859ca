import type { ServerResponse } from 'node:http'
import { Fault, limits } from '../../../foundation/kernel/index.ts'
import type { Content, Device, DeviceContents } from '../../provisioning/index.ts'
import { type Answers, toEtag } from './answer.ts'
import { parseForm } from './form.ts'
import { type ByteRange, parseRange } from './headers.ts'
import { type DeviceRequest, readHeader } from './request.ts'
import type { RequestLog } from './request-log.ts'

/** The time without progress after which the download of a device is cut. */
const downloadStallMsMax = 60_000

/** The query of a download. */
export type DownloadQuery = { readonly id: string | undefined; readonly info: boolean }

export type DownloadOptions = {
  readonly provisioning: { readonly contents: { readonly forDevice: DeviceContents } }
  readonly answers: Answers
  readonly log: RequestLog
  /** The downloads under way. */
  readonly openDownloads: Set<ServerResponse>
}

const usPerSecond = 1_000_000

/** An empty query asks for the list, `id=X&info=true` for the properties of one, `id=X` for it. */
export function parseDownload(query: string): DownloadQuery {
  const pairs = parseForm(Buffer.from(query), limits.formFieldsMax)
  const value = (name: string) => pairs.find(({ key }) => key === name)?.value
  return { id: value('id'), info: value('info') === 'true' }
}

/**
 * Answers with the list, the properties or the bytes of contents. @throws Fault `not_found`,
 * `overloaded`.
 */
export async function download(
  options: DownloadOptions,
  request: DeviceRequest,
  response: ServerResponse,
  device: Device,
): Promise<void> {
  const { answers, log, provisioning } = options
  const contents = provisioning.contents.forDevice
  const { id, info } = parseDownload(request.query)
  if (id === undefined) return answers.csv(response, formatList(await contents.list(device)))
  const content = await contents.get(device, id)
  if (info) return answers.csv(response, formatInfo(content))
  const range = requestedRange(request, content)
  if (range === 'none') {
    log.rejected(request, new Fault('range_refused'))
    return answers.noRange(response, content.bytes)
  }
  await send(options, request, response, device, content, range)
}

/** Each id has a line, which ends as lines of CSV do: a client in the field skips two letters. */
function formatList(contents: readonly Content[]): string {
  return contents.map(({ id }) => `${id}\r\n`).join('')
}

/** Content type, size in bytes, updated in unix seconds, meta. */
function formatInfo({ contentType, bytes, updatedAt, meta }: Content): string {
  const seconds = Math.floor(updatedAt / usPerSecond)
  return [contentType, bytes, seconds, meta].map((field) => formatCell(String(field))).join(',')
}

function formatCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A range of another upload than the device has begun with would not fit what it has. */
function requestedRange(request: DeviceRequest, content: Content): ByteRange | 'all' | 'none' {
  const condition = readHeader(request, 'if-range')
  if (condition !== undefined && condition.trim() !== toEtag(content.generation)) return 'all'
  return parseRange(readHeader(request, 'range'), content.bytes)
}

async function send(
  { provisioning, answers, log, openDownloads }: DownloadOptions,
  request: DeviceRequest,
  response: ServerResponse,
  device: Device,
  content: Content,
  asked: ByteRange | 'all',
): Promise<void> {
  if (openDownloads.size >= limits.downloadsMax) {
    throw new Fault('overloaded', 'Too many downloads.', { retryAfterS: limits.retryAfterS })
  }
  const range = asked === 'all' ? undefined : asked
  const { from, to } = range ?? { from: 0, to: content.bytes }
  const head = { ...content, modifiedS: content.updatedAt / usPerSecond }
  if (request.message.method === 'HEAD') {
    answers.download(response, head, range)
    response.end()
    return
  }
  const pieces = provisioning.contents.forDevice.read(device, content, from, to)
  openDownloads.add(response)
  try {
    answers.download(response, head, range)
    const sent = await pour(pieces, response)
    log.downloaded(request, device, { id: content.id, wanted: to - from, sent })
    await provisioning.contents.forDevice.sent(device, content, from, from + sent)
  } finally {
    openDownloads.delete(response)
  }
}

/**
 * Writes the pieces as fast as the device takes them, a little at a time: one piece is in memory.
 * @returns how many bytes it took before it hung up, or all.
 */
async function pour(pieces: AsyncIterable<Buffer>, response: ServerResponse): Promise<number> {
  const step = response.writableHighWaterMark
  let sent = 0
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += step) {
      if (response.destroyed) return sent
      const part = piece.subarray(at, at + step)
      if (!response.write(part)) await drained(response)
      if (!response.destroyed) sent += part.length
    }
  }
  response.end()
  return sent
}

/** Resolves when there is room again, or the device is gone; one that takes nothing is cut. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), downloadStallMsMax)
    const done = () => {
      clearTimeout(timer)
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
    if (response.destroyed) done()
  })
}
