import { request } from 'node:http'
import twilio from 'twilio'
import { type NotificationBench, serviceSid } from './notification.ts'

export const account = { sid: `AC${'7'.repeat(32)}`, token: 'a-token-of-thirty-two-characters' }

/** The public client of the ending service, with another base URL and nothing else. */
export function clientOf(bench: NotificationBench, { sid, token } = account) {
  const client = twilio(sid, token)
  client.notify.baseUrl = bench.millrace.httpUrl
  return client.notify.v1.services(serviceSid)
}

export type RestAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects
  readonly json: any
}

export type RestAsk = {
  readonly method?: string
  readonly form?: Readonly<Record<string, string | readonly string[]>> | string
  readonly headers?: Readonly<Record<string, string>>
  readonly host?: string
  /** `null`: none. */
  readonly auth?: typeof account | null
}

/** One request as any client would make it. */
export function askRest(url: string, path: string, ask: RestAsk = {}): Promise<RestAnswer> {
  const { method = 'GET', form, auth = account, host } = ask
  const { hostname, port } = new URL(url)
  const basic = auth && `Basic ${Buffer.from(`${auth.sid}:${auth.token}`).toString('base64')}`
  const headers = {
    ...(host === undefined ? {} : { Host: host }),
    ...(basic === null ? {} : { Authorization: basic }),
    ...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
    ...ask.headers,
  }
  const options = { hostname, port, path, method, headers, agent: false }
  return new Promise((resolve, reject) => {
    const asked = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, json: text === '' ? undefined : JSON.parse(text) })
      })
    })
    asked.on('error', reject)
    asked.end(form === undefined ? undefined : bodyOf(form))
  })
}

function bodyOf(form: NonNullable<RestAsk['form']>): string {
  if (typeof form === 'string') return form
  const pairs = Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return new URLSearchParams(pairs).toString()
}
