import {
  Fault,
  isJsonObject,
  isLoopbackHost,
  type JsonObject,
  limits,
  parseJsonObject,
  readableText,
} from '../../../../foundation/kernel/index.ts'
import {
  type Outbound,
  type OutboundAnswer,
  type OutboundCall,
  outboundKind,
} from '../../../../foundation/outbound/index.ts'
import type { CertificateVendorName, SigningOrder } from './vendor.ts'

/** Connecting to a certificate vendor. */
const vendorConnectMsMax = 3_000
/** One call of a certificate vendor, from first byte out to last byte in. */
const vendorCallMsMax = 20_000
/** A certificate vendor's answer. */
const vendorAnswerBytesMax = 256 * 1024

/** A request to a vendor; its path stands below the vendor's URL. */
export type VendorRequest = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A vendor at one place, with the credential of one order. */
export type VendorClient = {
  /** @throws Fault `vendor_failed`, `address_refused`, `overloaded`. */
  request(question: VendorRequest): Promise<OutboundAnswer>
  /** The failure, in a sentence that starts with the vendor's name. */
  failed(what: string, cause?: unknown): Fault
  /** Returns the failure of an answer, with the vendor's message. */
  refused(answer: OutboundAnswer): Fault
}

export type VendorClientOptions = {
  readonly outbound: Outbound
  readonly name: CertificateVendorName
  readonly order: Pick<SigningOrder, 'url' | 'apiKey'>
  /** The vendor's URL unless the order names one. */
  readonly defaultUrl?: string
  /** True if the API key itself is sent, so that the connection has to be encrypted. */
  readonly sendsKey: boolean
}

export function openVendorClient(options: VendorClientOptions): VendorClient {
  const { outbound, name, order } = options
  const base = parseBase(options)
  const failed = (what: string, cause?: unknown) =>
    new Fault('vendor_failed', `The certificate vendor ${name} ${what}.`, { cause })

  return {
    failed,
    refused: (answer) =>
      failed(`answered HTTP ${answer.status}${describeAnswer(answer, order.apiKey)}`),
    async request({ path, ...question }) {
      const call: OutboundCall = {
        ...question,
        url: `${base}${path}`,
        connectMsMax: vendorConnectMsMax,
        totalMsMax: vendorCallMsMax,
        answerBytesMax: vendorAnswerBytesMax,
      }
      try {
        return await outbound.call(call)
      } catch (error) {
        throw translated(error, failed)
      }
    },
  }
}

/** @throws Fault `invalid_argument`, naming the option. */
function parseBase({ name, order, defaultUrl, sendsKey }: VendorClientOptions): string {
  const text = order.url === '' ? defaultUrl : order.url
  if (text === undefined) throw invalid(`must be given for the vendor ${name}`)
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalid('must be an http(s) address')
  if (url.search !== '' || url.hash !== '') throw invalid('must not hold a query or a fragment')
  const plain = url.protocol === 'http:' && !isLoopbackHost(url.hostname)
  if (plain && sendsKey && order.apiKey !== '') {
    throw invalid(`must begin with https: the vendor ${name} is sent the API key itself`)
  }
  return url.href.replace(/\/+$/, '')
}

function invalid(rule: string): Fault {
  return new Fault('invalid_argument', `vendorOptions.url ${rule}`)
}

function translated(error: unknown, failed: VendorClient['failed']): Fault {
  const kind = outboundKind(error)
  if (kind === undefined || kind === 'refused') {
    if (error instanceof Fault && error.code !== 'invalid_argument') return error
    return failed('could not be asked: an option of it cannot be sent', error)
  }
  const { message } = error as Error
  return failed(kind === 'timed_out' ? `was too slow: ${message}` : `failed: ${message}`, error)
}

/** The vendor's own words: short, printable, and without the key, should it repeat it. */
function describeAnswer({ body }: OutboundAnswer, apiKey: string): string {
  const text = readableText(body)
  const object = parseJsonObject(text)
  const [said] = object === undefined ? [text] : readErrors(object)
  const clean = without(apiKey, said ?? '')
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ')
    .trim()
    .slice(0, limits.vendorSentenceCharsMax)
  return clean === '' ? '' : `: ${JSON.stringify(clean.toWellFormed())}`
}

function without(secret: string, text: string): string {
  return secret === '' ? text : text.replaceAll(secret, '(API key)')
}

/** Messages of `{errors: [{code, message}]}`, as cfssl and DigiCert both have it. */
export function readErrors({ errors }: JsonObject): string[] {
  if (!Array.isArray(errors)) return []
  return errors.flatMap((error: unknown) =>
    isJsonObject(error) && typeof error.message === 'string' ? [error.message] : [],
  )
}
