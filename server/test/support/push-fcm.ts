import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import type { TestContext } from 'node:test'
import { openWeb, type WebAnswer, type WebRequest } from './web.ts'

/*
 * Firebase Cloud Messaging's HTTP v1 and the token endpoint before it, as Google's documents
 * describe them: assertions are checked to the letter, and so is the form of a message.
 */

type Message = Readonly<Record<string, unknown>> & { readonly token: string }

export type FakeFcm = {
  readonly url: string
  /** Everything that was asked, as it came. */
  readonly requests: readonly WebRequest[]
  /** The file of the service account. */
  readonly account: Readonly<Record<string, string>>
  readonly accepted: Message[]
  /** Tokens of applications that are gone. */
  readonly gone: Set<string>
  /** Tokens of devices that are over their rate. */
  readonly busy: Set<string>
  /** What the next sendings are told instead. */
  readonly troubles: WebAnswer[]
  /** What the next askings for an access token are told instead. */
  readonly tokenTroubles: WebAnswer[]
  /** Access tokens that were given. */
  readonly given: string[]
  /** None that was given is taken any more. */
  takeBack(): void
  latencyMs: number
  /** Awaited before each answer. */
  before: () => Promise<void>
  nowS: () => number
}

const expiresIn = 3_599
const scope = 'https://www.googleapis.com/auth/firebase.messaging'
const parts = new Set([
  'token',
  'data',
  'notification',
  'android',
  'apns',
  'webpush',
  'fcm_options',
])

/** An error as Google's APIs say one. */
export function googleError(code: number, status: string, own?: string, field?: string): WebAnswer {
  const of = (name: string) => ({ '@type': `type.googleapis.com/${name}` })
  const details = [
    ...(own ? [{ ...of('google.firebase.fcm.v1.FcmError'), errorCode: own }] : []),
    ...(field
      ? [{ ...of('google.rpc.BadRequest'), fieldViolations: [{ field, description: 'Invalid.' }] }]
      : []),
  ]
  const body = JSON.stringify({ error: { code, message: 'Told in words.', status, details } })
  return { status: code, headers: { 'content-type': 'application/json' }, body }
}

export async function fakeFcm(t: Pick<TestContext, 'after'>): Promise<FakeFcm> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let taken = new Set<string>()
  const { url, requests } = await openWeb(t, async (request) => {
    if (fake.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, fake.latencyMs))
    await fake.before()
    if (request.url === '/token') return fake.tokenTroubles.shift() ?? access(request)
    return fake.troubles.shift() ?? send(request)
  })
  const fake: FakeFcm = {
    ...{ url, requests },
    account: {
      ...{ type: 'service_account', project_id: 'example-valves', private_key_id: 'kid-1' },
      private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      client_email: 'sender@example-valves.iam.test',
      token_uri: `${url}/token`,
    },
    ...{
      accepted: [],
      gone: new Set(),
      busy: new Set(),
      troubles: [],
      tokenTroubles: [],
      given: [],
    },
    takeBack() {
      taken = new Set()
    },
    ...{ latencyMs: 0, before: async () => undefined, nowS: () => Date.now() / 1_000 },
  }
  return fake

  function access({ body }: WebRequest): WebAnswer {
    const form = new URLSearchParams(body.toString())
    const good =
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
      isGenuine(fake, publicKey, form.get('assertion') ?? '')
    if (!good) return { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) }
    const token = `ya29.${fake.given.length + 1}`
    fake.given.push(token)
    taken.add(token)
    const said = { access_token: token, expires_in: expiresIn, token_type: 'Bearer' }
    return { status: 200, body: JSON.stringify(said) }
  }

  function send({ method, url: path, headers, body }: WebRequest): WebAnswer {
    const project = fake.account.project_id
    if (method !== 'POST' || path !== `/v1/projects/${project}/messages:send`) {
      return googleError(404, 'NOT_FOUND')
    }
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
    if (!taken.has(token)) return googleError(401, 'UNAUTHENTICATED')
    const { message } = JSON.parse(body.toString()) as { message: Message }
    const invalid = (field: string) =>
      googleError(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', field)
    const stranger = Object.keys(message).find((name) => !parts.has(name))
    if (stranger !== undefined) return invalid(`message.${stranger}`)
    if (Object.values(message.data ?? {}).some((one) => typeof one !== 'string')) {
      return invalid('message.data')
    }
    if (!/^[\w:-]{20,}$/.test(message.token)) return invalid('message.token')
    if (fake.busy.has(message.token)) {
      return googleError(429, 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED')
    }
    if (fake.gone.has(message.token)) return googleError(404, 'NOT_FOUND', 'UNREGISTERED')
    fake.accepted.push(message)
    const name = `projects/${project}/messages/${fake.accepted.length}`
    return { status: 200, body: JSON.stringify({ name }) }
  }
}

function isGenuine({ account, nowS }: FakeFcm, key: KeyObject, assertion: string): boolean {
  const [head = '', claims = '', signature = ''] = assertion.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}')
  const { alg, kid } = read(head)
  const said = read(claims)
  const signed = Buffer.from(`${head}.${claims}`)
  return (
    verify('sha256', signed, key, Buffer.from(signature, 'base64url')) &&
    alg === 'RS256' &&
    kid === account.private_key_id &&
    said.iss === account.client_email &&
    said.aud === account.token_uri &&
    said.scope === scope &&
    said.iat <= nowS() &&
    said.exp > nowS() &&
    said.exp - said.iat <= 3_600
  )
}
