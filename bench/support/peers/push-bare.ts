import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { Agent, request } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import { answerParent } from '../frame/child.ts'
import type { Called } from '../scripts/script-work.ts'
import type { Providers } from './push-providers.ts'

/**
 * A program that somebody would write to send as much: nothing is kept, and nothing tried again.
 */

export type BareSends = { readonly count: number; readonly inFlight: number }

let providers: Providers | undefined
let session: ClientHttp2Session | undefined
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
let bearer = ''
let access = ''

const body = JSON.stringify({ aps: { alert: { title: 'Alarm', body: 'Valve 7 is shut.' } } })

async function open(given: Providers): Promise<void> {
  providers = given
  const { apns, fcm } = given
  const now = Math.floor(Date.now() / 1_000)
  const header = { alg: 'ES256', kid: apns.keyId }
  bearer = jwt(header, { iss: apns.teamId, iat: now }, apns.key)
  session = connect(apns.url)
  const {
    client_email: iss,
    token_uri: aud = '',
    private_key = '',
    private_key_id: kid,
  } = fcm.account
  const scope = 'https://www.googleapis.com/auth/firebase.messaging'
  const assertion = jwt(
    { alg: 'RS256', kid },
    { iss, aud, scope, iat: now, exp: now + 3_600 },
    private_key,
  )
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
  const answer = await fetch(aud, { method: 'POST', body: new URLSearchParams(form) })
  access = ((await answer.json()) as { access_token: string }).access_token
}

function jwt(header: object, claims: object, key: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part(header)}.${part(claims)}`
  const signer = { key: createPrivateKey(key), dsaEncoding: 'ieee-p1363' } as const
  return `${text}.${sign('sha256', Buffer.from(text), signer).toString('base64url')}`
}

function toApple(turn: number): Promise<number> {
  const device = turn.toString(16).padStart(64, '0')
  return new Promise((resolve, reject) => {
    const id = randomUUID()
    const stream = session?.request({
      ...{ ':method': 'POST', ':path': `/3/device/${device}`, authorization: `bearer ${bearer}` },
      ...{ 'apns-topic': providers?.apns.topic, 'apns-push-type': 'alert', 'apns-priority': '10' },
      ...{ 'apns-expiration': '0', 'apns-id': id, 'apns-collapse-id': id },
      'content-type': 'application/json',
    })
    let status = 0
    stream?.on('response', (headers) => {
      status = Number(headers[':status'])
    })
    stream?.on('error', reject)
    stream?.on('data', () => undefined)
    stream?.on('end', () => resolve(status))
    stream?.end(body)
  })
}

function toGoogle(turn: number): Promise<number> {
  const { url = '', account = {} } = providers?.fcm ?? {}
  const path = `/v1/projects/${account.project_id}/messages:send`
  const token = `registration-token-${String(turn).padStart(8, '0')}`
  const data = { vnd_title: 'Alarm', vnd_body: 'Valve 7 is shut.' }
  const message = { token, data, android: { priority: 'HIGH', ttl: '60s' } }
  const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { agent, method: 'POST', headers }, (answer) => {
      answer.on('data', () => undefined)
      answer.on('error', reject)
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify({ message }))
  })
}

async function run(one: (turn: number) => Promise<number>, asked: BareSends): Promise<Called> {
  const { count, inFlight } = asked
  const start = performance.now()
  let turn = 0
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (turn < count) {
        turn += 1
        const status = await one(turn)
        if (status !== 200) throw new Error(`answered ${status}`)
      }
    }),
  )
  const perSecond = (count * 1_000) / (performance.now() - start)
  return { calls: count, perSecond, p50Ms: Number.NaN, p99Ms: Number.NaN }
}

answerParent(
  {
    open,
    apn: (asked: BareSends) => run(toApple, asked),
    fcm: (asked: BareSends) => run(toGoogle, asked),
  },
  () => {
    session?.destroy()
    agent.destroy()
  },
)
