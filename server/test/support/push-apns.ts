import { generateKeyPairSync, type KeyObject, randomUUID, verify } from 'node:crypto'
import {
  createSecureServer,
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { atEnd } from './ends.ts'

/*
 * Apple's push service as its documents describe it: who may send, what a request must look like,
 * and what is said where it does not. It begins with one stream and allows more once it has seen a
 * good token. `@parse/node-apn` agrees with it.
 */

export type ApnsNotification = {
  readonly id: string
  readonly device: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  /** The body as it came. */
  readonly text: string
  readonly connection: number
}

type Trouble = {
  readonly status: number
  readonly reason?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timestamp?: number
}

export type FakeApns = {
  readonly url: string
  readonly port: number
  /** The private key as Apple gives it out, PKCS #8. */
  readonly key: string
  readonly keyId: string
  readonly teamId: string
  readonly topic: string
  readonly accepted: ApnsNotification[]
  /** Tokens that were seen, in their order. */
  readonly tokens: string[]
  /** Device tokens of which the application is gone, and since when (ms). */
  readonly gone: Map<string, number>
  /** What the next requests are told instead; `hang` never answers, `refuse` begins nothing. */
  readonly troubles: (Trouble | 'hang' | 'refuse')[]
  connections: number
  /** The most streams at once that a connection had. */
  streamsMost: number
  latencyMs: number
  /** Tokens that are older are expired. */
  nowS: () => number
  /** Every connection is told to go away; what is under way is still answered. */
  goAway(): void
  /** Every connection breaks. */
  cut(): void
}

type Tls = { readonly key: string; readonly cert: string }

const tokenSecondsMax = 3_600
const [streamsBefore, streamsAfter] = [1, 1_000]

export async function fakeApns(t: Pick<TestContext, 'after'>, tls?: Tls): Promise<FakeApns> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const settings = { maxConcurrentStreams: streamsBefore }
  const server = tls ? createSecureServer({ ...tls, settings }) : createServer({ settings })
  const sessions = new Map<Http2Session, { number: number; streams: number; known: boolean }>()
  server.on('session', (session) => {
    fake.connections += 1
    sessions.set(session, { number: fake.connections, streams: 0, known: false })
    session.on('close', () => sessions.delete(session))
    session.on('error', () => undefined)
  })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    void answer(stream, headers)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    for (const session of sessions.keys()) session.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const fake: FakeApns = {
    ...{ url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port },
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    ...{ keyId: 'ABC123DEFG', teamId: 'DEF123GHIJ', topic: 'com.example.valves' },
    ...{ accepted: [], tokens: [], gone: new Map(), troubles: [] },
    ...{ connections: 0, streamsMost: 0, latencyMs: 0, nowS: () => Date.now() / 1_000 },
    goAway() {
      for (const session of sessions.keys()) session.goaway(0)
    },
    cut() {
      for (const session of sessions.keys()) session.destroy()
    },
  }
  return fake

  async function answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const state = stream.session && sessions.get(stream.session)
    if (state === undefined || stream.session === undefined) return
    state.streams += 1
    fake.streamsMost = Math.max(fake.streamsMost, state.streams)
    stream.once('close', () => {
      state.streams -= 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (fake.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, fake.latencyMs))
    const trouble = fake.troubles.shift() ?? judge(fake, publicKey, headers, body)
    if (stream.destroyed || trouble === 'hang') return
    if (trouble === 'refuse') return stream.close(7)
    const given = headers['apns-id']
    const id = typeof given === 'string' ? given : randomUUID().toUpperCase()
    if (!state.known && trouble?.status !== 403) {
      state.known = true
      stream.session.settings({ maxConcurrentStreams: streamsAfter })
    }
    if (trouble !== undefined) {
      const { status, reason, headers: more, timestamp } = trouble
      stream.respond({ ':status': status, 'apns-id': id, ...more })
      stream.end(reason === undefined ? '' : JSON.stringify({ reason, timestamp }))
      return
    }
    fake.accepted.push({ ...told(id, headers, body), connection: state.number })
    stream.respond({ ':status': 200, 'apns-id': id })
    stream.end()
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const pushTypes = new Set(['alert', 'background', 'voip', 'location', 'complication', 'mdm'])

function told(id: string, headers: IncomingHttpHeaders, body: Buffer) {
  const device = String(headers[':path']).split('/').at(-1) ?? ''
  const text = body.toString()
  return { id, device, headers, body: JSON.parse(text), text }
}

/** Apple's rules, in the order in which a request meets them. */
function judge(
  fake: FakeApns,
  publicKey: KeyObject,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Trouble | undefined {
  const says = (status: number, reason: string): Trouble => ({ status, reason })
  if (headers[':method'] !== 'POST') return says(405, 'MethodNotAllowed')
  const [, device] = /^\/3\/device\/([^/]*)$/.exec(String(headers[':path'])) ?? []
  if (device === undefined) return says(404, 'BadPath')
  if (device === '') return says(400, 'MissingDeviceToken')
  const token = judgeToken(fake, publicKey, String(headers.authorization ?? ''))
  if (token !== undefined) return says(403, token)
  const topic = headers['apns-topic']
  if (topic === undefined) return says(400, 'MissingTopic')
  if (topic !== fake.topic) return says(400, 'TopicDisallowed')
  const id = headers['apns-id']
  if (id !== undefined && !uuid.test(String(id))) return says(400, 'BadMessageId')
  if (!/^\d*$/.test(String(headers['apns-expiration'] ?? ''))) {
    return says(400, 'BadExpirationDate')
  }
  const priority = headers['apns-priority']
  if (!['1', '5', '10', undefined].includes(priority?.toString())) return says(400, 'BadPriority')
  const type = String(headers['apns-push-type'] ?? 'alert')
  if (!pushTypes.has(type)) return says(400, 'InvalidPushType')
  if (String(headers['apns-collapse-id'] ?? '').length > 64) return says(400, 'BadCollapseId')
  if (type === 'background' && priority === '10') return says(400, 'BadPriority')
  if (body.length === 0) return says(400, 'PayloadEmpty')
  if (body.length > 4_096) return says(413, 'PayloadTooLarge')
  if (!/^[0-9a-f]{64,200}$/i.test(device)) return says(400, 'BadDeviceToken')
  const timestamp = fake.gone.get(device)
  if (timestamp !== undefined) return { status: 410, reason: 'Unregistered', timestamp }
  return undefined
}

function judgeToken(fake: FakeApns, publicKey: KeyObject, said: string): string | undefined {
  const [, token] = /^bearer (.+)$/i.exec(said) ?? []
  if (token === undefined) return 'MissingProviderToken'
  if (!fake.tokens.includes(token)) fake.tokens.push(token)
  const iat = issuedAt(fake, publicKey, token)
  if (iat === undefined) return 'InvalidProviderToken'
  return Math.abs(fake.nowS() - iat) > tokenSecondsMax ? 'ExpiredProviderToken' : undefined
}

const known = new WeakMap<KeyObject, Map<string, number | undefined>>()

/** When a token was made that the key signed. A signature is looked at once. */
function issuedAt(fake: FakeApns, publicKey: KeyObject, token: string): number | undefined {
  const seen = known.get(publicKey) ?? new Map<string, number | undefined>()
  known.set(publicKey, seen)
  if (seen.has(token)) return seen.get(token)
  const [head = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  const { alg, kid } = read(head)
  const { iss, iat } = read(claims)
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  const signed = Buffer.from(`${head}.${claims}`)
  const genuine = verify('sha256', signed, key, Buffer.from(signature, 'base64url'))
  const ours = alg === 'ES256' && kid === fake.keyId && iss === fake.teamId
  const at = genuine && ours && typeof iat === 'number' ? iat : undefined
  seen.set(token, at)
  return at
}
