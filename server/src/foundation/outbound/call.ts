import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../kernel/index.ts'
import type { AllowEntry } from './allow.ts'
import { toFailure } from './errors.ts'
import { type CallTarget, judge } from './guard.ts'
import { refusal } from './lookup.ts'
import { type CallTimes, startWatch, type Watch } from './watch.ts'

export type OutboundCall = CallTimes & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Bytes of the answer's body, as sent and as decompressed. */
  readonly answerBytesMax: number
}

export type OutboundAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body, decompressed. */
  readonly body: Buffer
}

/** A call to an address that is allowed. */
export type AllowedCall = { readonly url: URL; readonly target: CallTarget; readonly watch: Watch }

/** Checks the URL, and ends the exchange when a time of the call is up. */
export async function guarded(
  call: OutboundCall,
  allow: readonly AllowEntry[],
  onRefused: (reason: string) => void,
  exchange: (fit: AllowedCall) => Promise<OutboundAnswer>,
): Promise<OutboundAnswer> {
  const url = parseUrl(call.url)
  const target = judge(url, allow)
  if (typeof target === 'string') {
    onRefused(`${url.hostname} is ${target}`)
    throw refusal(url.hostname === '' ? url.protocol : url.hostname)
  }
  const watch = startWatch(call, target.host)
  try {
    return await new Promise((resolve, reject) => {
      // undici ends an exchange only once it is connected; so the time is exact before, too.
      watch.onAbort(reject)
      exchange({ url, target, watch }).then(resolve, reject)
    })
  } catch (error) {
    throw toFailure(error, target.host)
  } finally {
    watch.end()
  }
}

function parseUrl(url: string | URL): URL {
  const parsed = typeof url === 'string' ? URL.parse(url) : url
  if (parsed === null) throw new Fault('invalid_argument', 'The URL cannot be read.')
  return parsed
}
