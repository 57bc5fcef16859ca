import { randomBytes } from 'node:crypto'
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { ClientIdentity } from './certificates.ts'
import type { Target } from './target.ts'

/** The authentication method of a device. */
export const methods = ['token', 'password', 'certificate'] as const
export type Method = (typeof methods)[number]

export type Answer = { readonly status: number; readonly body: string }

/** A device with its own keep-alive connection, which is reopened after a loss. */
export type SimulatedDevice = {
  /** False until it was activated; a device with a certificate needs no activation. */
  readonly active: boolean
  /** Both reject if there is no complete answer. */
  activate(): Promise<Answer>
  write(): Promise<Answer>
  close(): void
}

const bodyShown = 40
const passwordBytes = 20
/** Then the answer counts as lost. */
const answerMsMax = 30_000

/** @param certificate authenticates a device of the method `certificate`. */
export function createDevice(
  target: Target,
  identity: string,
  method: Method,
  certificate: ClientIdentity | undefined,
): SimulatedDevice {
  const call = createCaller(target, certificate)
  const password = randomBytes(passwordBytes).toString('hex')
  let credential: Record<string, string> | undefined = method === 'certificate' ? {} : undefined
  let written = 0
  return {
    get active() {
      return credential !== undefined
    },
    async activate() {
      const body = `id=${encodeURIComponent(identity)}`
      if (method === 'password') {
        const answer = await call.post('/provision/activate', `${body}&password=${password}`)
        const pair = Buffer.from(`${identity}:${password}`).toString('base64')
        if (answer.status === 204) credential = { Authorization: `Basic ${pair}` }
        return answer
      }
      const answer = await call.post('/provision/activate', body)
      if (answer.status === 200) credential = { 'X-vendor-CIK': answer.body }
      return answer
    },
    write() {
      written += 1
      return call.post('/vendor:v1/stack/alias', `data_in=${measurement(written)}`, credential)
    },
    close: call.close,
  }
}

/** A slow wave with a little noise, like that of a sensor. */
function measurement(at: number): string {
  const swing = 4
  const temperature = 18 + swing * Math.sin(at / 30) + Math.random() / swing
  const channels = { '001': Number(temperature.toFixed(1)), '002': 1_013, '003': 3.5 }
  return encodeURIComponent(JSON.stringify(channels))
}

function createCaller({ url, host, ca }: Target, certificate: ClientIdentity | undefined) {
  const encrypted = url.protocol === 'https:'
  const kept = { keepAlive: true, maxSockets: 1 }
  const tls = { servername: host, ...(ca !== undefined && { ca }), ...certificate }
  const agent = encrypted ? new TlsAgent({ ...kept, ...tls }) : new Agent(kept)
  const open = encrypted ? tlsRequest : request
  function post(path: string, body: string, headers: Record<string, string> = {}) {
    const options: RequestOptions = {
      method: 'POST',
      agent,
      timeout: answerMsMax,
      headers: {
        Host: host,
        'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        ...headers,
      },
    }
    return new Promise<Answer>((resolve, reject) => {
      const outgoing = open(new URL(path, url), options, (response) => {
        readAnswer(response).then(resolve, reject)
      })
      const late = Object.assign(new Error('no answer in time'), { code: 'no answer in time' })
      outgoing.on('timeout', () => outgoing.destroy(late))
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }
  return { post, close: () => agent.destroy() }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const body = await buffer(response)
  return { status: response.statusCode ?? 0, body: body.toString('utf8', 0, bodyShown) }
}
