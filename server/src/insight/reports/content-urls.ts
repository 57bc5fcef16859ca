import {
  type Clock,
  exactText,
  Fault,
  invalid,
  isJsonObject,
  parseJson,
} from '../../foundation/kernel/index.ts'

/** The longest time for which the URL of a report works. */
const reportUrlSecondsMax = 604_800

/** Encrypts by the key of the instance; what it cannot open was not sealed by it. */
export type Sealing = {
  seal(text: string, context?: string): string
  open(sealed: string, context?: string): string
}

export type ContentUrlsOptions = {
  readonly secrets: Sealing
  readonly clock: Clock
  /** The address at which callers reach the management API. */
  readonly publicUrl: string
}

type Named = { readonly businessId: string; readonly id: string }

const context = 'reports/url'
const msPerSecond = 1_000

/** URLs whose last part is sealed with the key of the instance: nobody else can make one. */
export function createContentUrls({ secrets, clock, publicUrl }: ContentUrlsOptions) {
  return {
    /** @throws Fault `invalid_argument` */
    sign({ businessId, id }: Named, seconds: number): string {
      const most = reportUrlSecondsMax
      if (!Number.isInteger(seconds) || seconds < 1 || seconds > most) {
        throw invalid(`expires_in is from 1 to ${most} seconds`)
      }
      const expires = Math.floor(clock.nowMs() / msPerSecond) + seconds
      const sealed = secrets.seal(JSON.stringify({ businessId, id, expires }), context)
      return `${publicUrl}/api:1/report-content/${Buffer.from(sealed).toString('base64url')}`
    },
    /** @throws Fault `not_found` for one that was not made here; `forbidden` after its end */
    open(token: string): Named {
      const read = readContent(token, secrets)
      if (read === undefined) throw new Fault('not_found', 'There is no such URL.')
      if (read.expires * msPerSecond > clock.nowMs()) return read
      throw new Fault('forbidden', 'The URL has expired.')
    },
  }
}

function readContent(
  token: string,
  secrets: Sealing,
): (Named & { readonly expires: number }) | undefined {
  const sealed = Buffer.from(token, 'base64url')
  // Another spelling of the same bytes is another URL.
  if (sealed.toString('base64url') !== token) return undefined
  try {
    const read = parseJson(secrets.open(exactText(sealed), context))
    return isJsonObject(read) ? (read as never) : undefined
  } catch {
    // It was not sealed here.
    return undefined
  }
}
