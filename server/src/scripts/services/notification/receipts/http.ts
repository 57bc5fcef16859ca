import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  errorCatalogue,
  Fault,
  formFields,
  type Logger,
  limits,
  readRequestBody,
  requireText,
  toFault,
} from '../../../../foundation/kernel/index.ts'
import { notificationLimits } from '../limits.ts'
import type { NotificationOptions } from '../options.ts'
import type { ProviderConfiguration } from '../providers/configuration.ts'
import { readReceipt, readWebhookReceipt } from '../providers/index.ts'
import { readProviderConfiguration } from '../providers/route.ts'
import { answer } from '../rest-api/refusal.ts'
import { ownUrl } from '../rest-api/request.ts'
import type { Receipt } from '../sending/channel.ts'
import type { Received } from './receive.ts'

/** Receipts that a process has in flight. The next one receives 503. */
const notificationReceiptsMax = 200

export type ReceiptHttp = {
  owns(url: string): boolean
  handle(message: IncomingMessage, response: ServerResponse): void
}

type Receive = (solutionId: string, receipt: Receipt) => Promise<Received>

type Called = {
  readonly message: IncomingMessage
  readonly configuration: ProviderConfiguration
  readonly body: string
  readonly nowS: number
  /** The base of the URL that the sender has. */
  readonly baseUrl: string
}

/** Undefined if the receipt is not signed by the solution's provider. */
type Read = (called: Called) => Receipt | undefined

const path = /^\/v1\/Receipts\/([a-z0-9]+)\/(twilio|webhook)$/

/** Receives the receipts of providers, each signed with the solution's secret. */
export function createReceipts(options: NotificationOptions, receive: Receive): ReceiptHttp {
  let underWay = 0

  async function act(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = message
    const [, solutionId, provider] = path.exec(url.split('?', 1)[0] ?? '') ?? []
    if (solutionId === undefined) throw new Fault('not_found')
    if (method !== 'POST') throw new Fault('method_not_allowed')
    const body = requireText(
      await readRequestBody(message, notificationLimits.notificationReceiptBytesMax),
    )
    const setup = await readProviderConfiguration(options, solutionId)
    const nowS = options.clock.nowMs() / 1_000
    const baseUrl = options.publicUrl ?? ownUrl(message)
    const read = provider === 'twilio' ? readTwilio : readWebhook
    const receipt = read({ message, configuration: setup, body, nowS, baseUrl })
    if (receipt === undefined)
      throw new Fault('forbidden', 'The signature of the receipt is missing or invalid.')
    const received = await receive(solutionId, receipt)
    if (received === 'unknown') throw new Fault('not_found', 'Nothing was sent under this id.')
    if (received === 'taken') return answer(response, 204)
    // Not an error: receipts overtake one another, and are sent again.
    const what = 'This state, or a later one, was received before: nothing is changed.'
    answer(response, 200, { code: 'outdated', message: what, status: 200 })
  }

  return {
    owns: (url) => /^\/v1\/Receipts(?:[/?]|$)/.test(url),
    handle(message, response) {
      const busy = underWay >= notificationReceiptsMax
      const { retryAfterS } = limits
      underWay += 1
      const done = busy
        ? Promise.reject(new Fault('overloaded', undefined, { retryAfterS }))
        : act(message, response)
      done
        .catch((error) => {
          message.resume()
          refuse(response, error, options.logger)
        })
        .finally(() => {
          underWay -= 1
        })
    },
  }
}

const readTwilio: Read = ({ message, configuration: setup, body, baseUrl }) => {
  const form = formFields(body, limits.formFieldsMax)
  const signature = String(message.headers['x-twilio-signature'] ?? '')
  const { authToken } = setup.account()
  const own = setup.provider('sms')?.settings.shown.StatusCallback
  const urls = [`${baseUrl}${message.url ?? ''}`, ...(typeof own === 'string' ? [own] : [])]
  for (const url of urls.flatMap(spellings)) {
    const receipt = readReceipt({ url, form, signature }, authToken)
    if (receipt !== undefined) return receipt
  }
  return undefined
}

const ports: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** A URL as it was given, and as a signer may write it: with the scheme's port, and without. */
function spellings(url: string): string[] {
  const [, scheme = '', host = '', rest = ''] = /^(https?):\/\/([^/?#]*)(.*)$/s.exec(url) ?? []
  const bare = host.replace(/:\d+$/, '')
  const port = host === bare ? `:${ports[scheme]}` : host.slice(bare.length)
  return [...new Set([url, `${scheme}://${bare}${rest}`, `${scheme}://${bare}${port}${rest}`])]
}

const readWebhook: Read = ({ message, configuration: setup, body, nowS }) => {
  const provider = setup.provider('sms')
  const secret = provider?.name === 'webhook' ? provider.settings.secret.Secret : undefined
  return typeof secret === 'string'
    ? readWebhookReceipt({ headers: message.headers, body, nowS }, secret)
    : undefined
}

/** `{code, message, status}`, as the management API has it. */
function refuse(response: ServerResponse, thrown: unknown, logger: Logger): void {
  if (response.destroyed || response.headersSent) return
  const fault = toFault(thrown)
  const { code, status, detail, retryAfterS } = fault
  if (status === 500) logger.error({ err: fault.cause ?? fault }, 'notification receipt failed')
  if (status === 405) response.setHeader('allow', 'POST')
  if (retryAfterS !== undefined) response.setHeader('retry-after', retryAfterS)
  const message = status === 500 ? errorCatalogue.internal.text : detail
  answer(response, status, { code: status === 500 ? 'internal' : code, message, status })
}
