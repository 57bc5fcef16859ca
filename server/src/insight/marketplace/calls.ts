import { setTimeout as pause } from 'node:timers/promises'
import { Fault, isLoopbackHost, limits, newId, type Random } from '../../foundation/kernel/index.ts'
import {
  type Guest,
  type Outbound,
  type OutboundAnswer,
  outboundKind,
  parseAllow,
} from '../../foundation/outbound/index.ts'
import type { ModuleEndpoint } from './endpoints.ts'
import { marketplaceLimits } from './limits.ts'
import type { ModuleAddress } from './schema.ts'

/** The pause before a module that could not be reached is called again; it doubles each time. */
const moduleRetryMs = 50

/** The request to an endpoint. */
export type CallContent = {
  readonly body: object | undefined
  /** Sent as `X-Request-Id`; a new one if left out. */
  readonly trackingId?: string
  /** Sent as `traceparent`, if it is traced. */
  readonly traceparent?: string | undefined
  /** The time of each try; no longer than calls of modules may take, which is the default. */
  readonly timeoutMs?: number | null
}

/** Makes one attempt of a call, within the limits of the caller. */
export type LimitedCall = (call: () => Promise<OutboundAnswer>) => Promise<OutboundAnswer>

/** Calls the endpoints of modules, for one business at a time. */
export type ModuleCalls = {
  /**
   * Returns the error of a call to a URL, as far as it is known before: the operator does not allow
   * its address. Undefined if it may be called.
   */
  refusal(businessId: string, url: string): Fault | undefined
  /** Returns whether a module may be at a URL, which need not be one. */
  address(businessId: string, url: string): ModuleAddress
  /**
   * Returns the answer of an endpoint, whatever its status; calls again while it cannot be reached.
   * @throws Fault module_failed, address_refused
   */
  call(
    businessId: string,
    endpoint: ModuleEndpoint,
    sent: CallContent,
    limited: LimitedCall,
  ): Promise<OutboundAnswer>
}

export type ModuleCallsOptions = {
  readonly outbound: Pick<Outbound, 'call' | 'refusal'>
  /** Private addresses, `host:port`, that the modules of one business may have, by its id. */
  readonly moduleAllow?: ReadonlyMap<string, readonly string[]> | undefined
  readonly random: Random
}

/**
 * The module did not take the call: nothing listens, the connection broke, or what stands before it
 * says that it is not there. The same call may succeed in a moment.
 */
export class ModuleAway extends Fault {
  constructor(detail: string, options?: ErrorOptions) {
    super('module_failed', detail, options)
  }
}

/** The module took the call, and did not answer in time. */
export class CallTimedOut extends Fault {
  constructor(detail: string, options?: ErrorOptions) {
    super('module_failed', detail, options)
  }
}

export function createModuleCalls({
  outbound,
  moduleAllow,
  random,
}: ModuleCallsOptions): ModuleCalls {
  /** Returns the access that only the modules of one business have; undefined if none. */
  function guestFor(businessId: string): Guest | undefined {
    const allow = parseAllow(moduleAllow?.get(businessId) ?? [])
    return allow.length === 0 ? undefined : { scope: `modules of ${businessId}`, allow }
  }

  function refusal(businessId: string, url: string): Fault | undefined {
    const refused = outbound.refusal(new URL(url), guestFor(businessId))
    return refused === undefined ? undefined : withEntry(refused, url)
  }

  return {
    refusal,
    address(businessId, url) {
      try {
        const refused = refusal(businessId, checkedUrl(url))
        return { allowed: refused === undefined, reason: refused?.detail ?? null }
      } catch (error) {
        if (error instanceof Fault) return { allowed: false, reason: error.detail }
        throw error
      }
    },
    async call(businessId, endpoint, sent, limited) {
      const { trackingId = newId(random) } = sent
      const request = makeRequest(endpoint, sent, trackingId)
      for (let tried = 1; ; tried += 1) {
        try {
          return await limited(() => outbound.call(request, guestFor(businessId)))
        } catch (error) {
          const kind = outboundKind(error)
          const again = kind === 'unreachable' || kind === 'broken'
          if (!again || tried >= marketplaceLimits.moduleTriesMax) throw toFailure(error, request)
          await pause(moduleRetryMs * 2 ** (tried - 1))
        }
      }
    },
  }
}

function makeRequest(
  { method, url, headers }: ModuleEndpoint,
  { body, timeoutMs, traceparent }: CallContent,
  trackingId: string,
) {
  const json = 'application/json'
  const traced = traceparent === undefined ? {} : { traceparent }
  const own = { accept: json, 'content-type': json, 'x-request-id': trackingId }
  return {
    method,
    url,
    headers: { ...headers, ...own, ...traced },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    connectMsMax: marketplaceLimits.moduleConnectMsMax,
    totalMsMax: Math.min(timeoutMs ?? limits.moduleCallMsMax, limits.moduleCallMsMax),
    answerBytesMax: limits.moduleAnswerBytesMax,
  }
}

function toFailure(error: unknown, { url, totalMsMax }: ReturnType<typeof makeRequest>): unknown {
  const kind = outboundKind(error)
  if (kind === undefined || !(error instanceof Error)) return error
  if (kind === 'refused') return withEntry(error, url)
  const detail = `No answer: ${error.message}.`
  // A call that took too long would do so again.
  if (kind === 'timed_out') {
    return new CallTimedOut(`No answer within ${totalMsMax} ms: ${error.message}.`, {
      cause: error,
    })
  }
  if (kind !== 'unreachable' && kind !== 'broken')
    return new Fault('module_failed', detail, { cause: error })
  return new ModuleAway(detail, { cause: error })
}

/** The refusal of an address, with the entry that would allow it. */
function withEntry(cause: Error, url: string): Fault {
  const entry = `MILLRACE_OUTBOUND_ALLOW=${toAddress(url)}`
  const detail = `${cause.message} The instance allows them with ${entry} at its start.`
  return new Fault('address_refused', detail, { cause })
}

/** `host:port`, as the operator's list has it. */
function toAddress(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/**
 * Returns the URL of a module or of its definition as it is stored. `https:` is the rule; `http:`
 * is taken for loopback alone, which the operator must have allowed when it is called.
 * @throws Fault invalid_argument
 */
export function checkedUrl(text: string, what = 'The URL of a module'): string {
  const url = text.length > limits.settingCharsMax ? null : URL.parse(text)
  const plain = url !== null && url.username === '' && url.password === '' && url.hash === ''
  if (!plain || !['http:', 'https:'].includes(url.protocol)) {
    throw new Fault('invalid_argument', `${what} must have the form https://host/path.`)
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new Fault('invalid_argument', `${what} may begin with http: on loopback only.`)
  }
  return url.href
}

/** The same of a base, to which paths are added: it has no query. @throws Fault invalid_argument */
export function checkedBase(text: string): string {
  const base = checkedUrl(text, 'The base URL of a module')
  if (!base.includes('?')) return base
  throw new Fault('invalid_argument', 'The base URL of a module must not have a query.')
}
