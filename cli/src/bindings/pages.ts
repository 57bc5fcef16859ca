import { setTimeout as pause } from 'node:timers/promises'
import { UsageError } from '../command.ts'
import type { BindingSource, PlacedRow } from './import.ts'
import { isObject, objectIn } from './scan.ts'

export type OtherService = {
  /** The address under which `/v1/Services` lies. */
  readonly url: string
  readonly serviceSid: string
  readonly accountSid: string
  readonly token: string
  readonly signal: AbortSignal
  /** Called before a page is requested again. */
  readonly waits: (sentence: string) => void
}

/** The largest page that the API has. */
const pageRows = 1_000
const pageBytesMax = 4 * 1024 * 1024
const answerMsMax = 60_000
const triesMax = 5
const waitMs = 1_000
const waitMsMax = 3_600_000

/** The bindings of another service, by its REST list. @throws UsageError */
export function openService(service: OtherService): BindingSource {
  const base = URL.parse(service.url)
  if (base === null) throw new UsageError(`--from: "${service.url}" is no URL`)
  if (base.username !== '' || base.password !== '') {
    throw new UsageError('--from: a URL has no user here; --account and --token-file name it')
  }
  return { rows: readPages(base, service), share: () => undefined }
}

/** Every binding, page by page. */
async function* readPages(base: URL, service: OtherService): AsyncGenerator<PlacedRow> {
  const list = `/v1/Services/${encodeURIComponent(service.serviceSid)}/Bindings`
  let url: URL | undefined = new URL(`${list}?PageSize=${pageRows}`, base)
  const read = new Set<string>()
  for (let page = 1; url !== undefined; page += 1) {
    read.add(url.href)
    const { bindings, next } = parsePage(await ask(url, page, service), page)
    for (const [at, value] of bindings.entries()) {
      const place = `page ${page}, binding ${at + 1}`
      yield isObject(value) ? { place, value } : { place, reason: 'it is no JSON object' }
    }
    url = next === undefined ? undefined : resolveNext(next, base)
    if (url !== undefined && read.has(url.href)) {
      throw new Error(`page ${page} names one as the next that was read before`)
    }
  }
}

/** The token goes to the server that it was meant for, and to no other. @throws Error */
function resolveNext(next: string, base: URL): URL {
  const url = URL.parse(next, base.href)
  if (url?.origin === base.origin) return url
  throw new Error(`the next page is at ${url?.origin ?? next}, which is not ${base.origin}`)
}

type PageAnswer = {
  readonly status: number
  readonly text: string
  /** Seconds to wait; NaN without a header. */
  readonly retryAfterS: number
}

function parsePage({ status, text }: PageAnswer, page: number) {
  const body = objectIn(text)
  if (status !== 200) {
    const words = typeof body?.message === 'string' ? `: ${body.message.slice(0, 200)}` : ''
    throw new Error(`page ${page} was answered with ${status}${words}`)
  }
  const { bindings, meta } = body ?? {}
  if (!Array.isArray(bindings)) throw new Error(`page ${page} has no list of bindings`)
  const next = isObject(meta) ? meta.next_page_url : undefined
  return { bindings, next: typeof next === 'string' && next !== '' ? next : undefined }
}

/** Asks again if the server answers that it has no time now, or does not answer. */
async function ask(url: URL, page: number, service: OtherService): Promise<PageAnswer> {
  const { signal, waits } = service
  for (let tries = 1; ; tries += 1) {
    const last = tries === triesMax
    let why: string
    let ms = waitMs * tries
    try {
      const answer = await fetchPage(url, service)
      if (last || (answer.status !== 429 && answer.status < 500)) return answer
      why = `was answered with ${answer.status}`
      if (answer.retryAfterS > 0) ms = Math.min(answer.retryAfterS * 1_000, waitMsMax)
    } catch (error) {
      signal.throwIfAborted()
      why = `cannot be read: ${toReason(error)}`
      if (last || error instanceof TooLarge) throw new Error(`page ${page} ${why}`)
    }
    waits(`page ${page} ${why}; asking again in ${Math.ceil(ms / 1_000)} s`)
    await pause(ms, undefined, { signal })
  }
}

class TooLarge extends Error {}

async function fetchPage(url: URL, service: OtherService): Promise<PageAnswer> {
  const { accountSid, token } = service
  const basic = Buffer.from(`${accountSid}:${token}`).toString('base64')
  const response = await fetch(url, {
    headers: { authorization: `Basic ${basic}`, accept: 'application/json' },
    // The token would go along.
    redirect: 'manual',
    signal: AbortSignal.any([service.signal, AbortSignal.timeout(answerMsMax)]),
  })
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > pageBytesMax) throw new TooLarge(`it has more than ${pageBytesMax} bytes`)
    pieces.push(piece)
  }
  const retryAfterS = Number(response.headers.get('retry-after') ?? Number.NaN)
  return { status: response.status, text: Buffer.concat(pieces).toString(), retryAfterS }
}

/** fetch hides the reason in the cause of its error. */
function toReason(error: unknown): string {
  const { cause, message } = error as Error & { readonly cause?: NodeJS.ErrnoException }
  return cause?.code ?? cause?.message ?? message
}
