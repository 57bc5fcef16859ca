import type { IncomingMessage, ServerResponse } from 'node:http'
import { answeredMethods, Fault, limits, readPeer } from '../../../../foundation/kernel/index.ts'
import type { Actions } from '../actions.ts'
import { readBinding } from '../bindings/binding.ts'
import { isSid, newBindingSid } from '../ids.ts'
import { notificationLimits } from '../limits.ts'
import { readList } from '../list-page.ts'
import { notificationOperations } from '../operations.ts'
import type { NotificationOptions } from '../options.ts'
import { readSend } from '../sending/message.ts'
import { type AccountCaller, createAccounts } from './accounts.ts'
import { bindingArguments, listArguments, sendArguments } from './arguments.ts'
import { cutPage, readPage } from './page.ts'
import { answer, refuse } from './refusal.ts'
import { ownUrl, parseFields, readForm } from './request.ts'
import { bindingBody, notificationBody } from './wire.ts'

/** The legacy REST API, compatible with Twilio Notify. */
export type RestApi = {
  /** Returns whether a URL is one of its paths. */
  owns(url: string): boolean
  handle(message: IncomingMessage, response: ServerResponse): void
}

type Request = {
  readonly caller: AccountCaller
  readonly serviceSid: string
  readonly sid: string
  readonly query: string
  /** The base of URLs in the answer. */
  readonly baseUrl: string
  /** Reads the body, once the caller is authenticated. */
  form(): Promise<string>
}

type Handler = (request: Request) => Promise<readonly [status: number, body?: unknown]>
type Handlers = Readonly<Record<string, Handler>>

const path = /^\/v1\/Services\/([^/]+)\/(Bindings|Notifications)(?:\/([^/]+))?\/?$/

export function createRestApi(options: NotificationOptions, actions: Actions): RestApi {
  const findCaller = createAccounts(options)
  const verbs = createHandlers(options, actions)
  const underWay = new Map<string, number>()

  async function act(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers, url = '' } = message
    const [where = '', query = ''] = url.split(/\?(.*)/s)
    const [, serviceSid = '', kind = '', sid = ''] = path.exec(where) ?? []
    const caller = await findCaller(headers.authorization, serviceSid, readPeer(message).ip)
    const known = verbs[sid === '' ? kind : `${kind}/`]
    if (known === undefined || !isSid(serviceSid)) throw new Fault('not_found', notFoundText(where))
    // Node sends no body in answer to a HEAD.
    const wanted = method === 'HEAD' ? 'GET' : method
    const verb = Object.hasOwn(known, wanted) ? known[wanted] : undefined
    if (verb === undefined) {
      response.setHeader('allow', answeredMethods(Object.keys(known)).join(', '))
      throw new Fault('method_not_allowed')
    }
    const baseUrl = options.publicUrl ?? ownUrl(message)
    const form = () => readForm(message)
    answer(response, ...(await verb({ caller, serviceSid, sid, query, baseUrl, form })))
  }

  /** Limits the requests in flight of each account. */
  async function counted(account: string, work: () => Promise<void>): Promise<void> {
    const count = underWay.get(account) ?? 0
    if (count >= notificationLimits.notificationRestRunsMax) {
      const { retryAfterS } = limits
      throw new Fault('too_many_requests', 'Too many requests at once.', { retryAfterS })
    }
    underWay.set(account, count + 1)
    await work().finally(() => {
      const left = (underWay.get(account) ?? 1) - 1
      if (left > 0) underWay.set(account, left)
      else underWay.delete(account)
    })
  }

  return {
    owns: (url) => /^\/v1\/Services(?:[/?]|$)/.test(url),
    handle(message, response) {
      const account = message.headers.authorization ?? ''
      counted(account, () => act(message, response)).catch((error) => {
        message.resume()
        refuse(response, error, options.logger)
      })
    },
  }
}

function createHandlers(
  { clock, random }: NotificationOptions,
  actions: Actions,
): Readonly<Record<string, Handlers>> {
  const create: Handler = async ({ caller, serviceSid, baseUrl, form }) => {
    const args = notificationOperations.parse(
      'createBinding',
      bindingArguments(parseFields(await form()), serviceSid),
    )
    const wanted = readBinding(args, newBindingSid(random))
    const binding = await actions.createBinding(caller, wanted)
    return [201, bindingBody(binding, caller.accountSid, baseUrl)]
  }
  const list: Handler = async ({ caller, serviceSid, query, baseUrl }) => {
    const fields = parseFields(query)
    const page = readPage(fields)
    const asked = readList(
      notificationOperations.parse('listBinding', listArguments(fields, serviceSid)),
    )
    const found = await actions.listBinding(caller, asked, page.place)
    const { bindings, meta } = cutPage(page, asked, found, baseUrl)
    const bodies = bindings.map((one) => bindingBody(one, caller.accountSid, baseUrl))
    return [200, { bindings: bodies, meta }]
  }
  const fetchOne: Handler = async ({ caller, serviceSid, sid, baseUrl }) => {
    const binding = await actions.getBinding(caller, serviceSid, sid)
    return [200, bindingBody(binding, caller.accountSid, baseUrl)]
  }
  const remove: Handler = async ({ caller, serviceSid, sid }) => {
    await actions.deleteBinding(caller, serviceSid, sid)
    return [204]
  }
  const send: Handler = async ({ caller, serviceSid, form }) => {
    const { args, direct } = sendArguments(parseFields(await form()), serviceSid)
    const asked = readSend(notificationOperations.parse('send', args), clock.nowMs(), direct)
    const sent = await actions.send(caller, asked)
    return [201, notificationBody(sent, caller.accountSid)]
  }
  return {
    Bindings: { GET: list, POST: create },
    'Bindings/': { GET: fetchOne, DELETE: remove },
    Notifications: { POST: send },
  }
}

function notFoundText(where: string): string {
  return `The requested resource ${where.slice(0, limits.nameCharsMax)} was not found`
}
