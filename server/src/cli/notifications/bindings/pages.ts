import { setTimeout as pause } from 'node:timers/promises'
import { isJsonObject, limits, parseJsonObject } from '../../../kernel/index.ts'
import { type Outbound, type OutboundAnswer, outboundKind } from '../../../outbound/index.ts'
import type { PlacedRow } from './rows.ts'

export type PagesAsked = {
  /** The origin under which `/v1/Services` lies. */
  readonly base: URL
  readonly serviceSid: string
  readonly accountSid: string
  readonly token: string
}

/** Every binding of a service, page by page, as its REST list gives them. */
export async function* readPages(
  outbound: Pick<Outbound, 'call'>,
  { base, serviceSid, accountSid, token }: PagesAsked,
): AsyncGenerator<PlacedRow> {
  const basic = Buffer.from(`${accountSid}:${token}`).toString('base64')
  const headers = { authorization: `Basic ${basic}`, accept: 'application/json' }
  const size = limits.notificationRestPageMax
  let url: URL | undefined = new URL(`/v1/Services/${serviceSid}/Bindings?PageSize=${size}`, base)
  for (let page = 1; url !== undefined; page += 1) {
    const { bindings, next } = pageOf(await ask(outbound, url, headers), page)
    for (const [at, value] of bindings.entries()) {
      yield { place: `page ${page}, binding ${at + 1}`, value }
    }
    url = next === undefined ? undefined : nextOf(next, base)
  }
}

/** The token goes to the server that it was meant for, and to no other. @throws Error */
function nextOf(next: string, base: URL): URL {
  const url = new URL(next, base)
  if (url.origin === base.origin) return url
  throw new Error(`the next page is at ${url.origin}, which is not ${base.origin}`)
}

function pageOf({ status, body }: OutboundAnswer, page: number) {
  const said = parseJsonObject(body.toString())
  if (status !== 200) {
    const words = typeof said?.message === 'string' ? `: ${said.message.slice(0, 200)}` : ''
    throw new Error(`page ${page} was answered with ${status}${words}`)
  }
  const { bindings, meta } = said ?? {}
  if (!Array.isArray(bindings)) throw new Error(`page ${page} has no list of bindings`)
  const next = isJsonObject(meta) ? meta.next_page_url : undefined
  return { bindings, next: typeof next === 'string' && next !== '' ? next : undefined }
}

const waitMs = 1_000

/** The number of retries if the server answers with a time to wait, or cannot be reached. */
async function ask(
  outbound: Pick<Outbound, 'call'>,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<OutboundAnswer> {
  const { notificationImportCallMsMax, notificationImportTriesMax } = limits
  for (let tries = 1; ; tries += 1) {
    const last = tries === notificationImportTriesMax
    try {
      const answer = await outbound.call({
        method: 'GET',
        url,
        headers,
        connectMsMax: limits.pushConnectMsMax,
        totalMsMax: notificationImportCallMsMax,
        answerBytesMax: limits.notificationImportPageBytesMax,
      })
      if (last || (answer.status !== 429 && answer.status < 500)) return answer
      const asked = Number(answer.headers['retry-after'])
      await pause(asked > 0 ? Math.min(asked * 1_000, limits.pushRetryAfterMsMax) : waitMs * tries)
    } catch (error) {
      const kind = outboundKind(error)
      if (last || kind === undefined || kind === 'refused') throw error
      await pause(waitMs * tries)
    }
  }
}
