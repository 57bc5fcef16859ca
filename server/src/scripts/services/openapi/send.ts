import {
  anyJson,
  type Clock,
  createOnce,
  Fault,
  jsonBounds,
  LruMap,
  limits,
  parseJson,
  RateLimiter,
} from '../../../foundation/kernel/index.ts'
import type { Configuration, Operation, ScriptValue, ServiceCall } from '../../scripting/index.ts'
import { type CloudCredentials, chooseRequirement, secretTexts } from './credentials.ts'
import type { CloudDefinition, CloudOperation } from './definition.ts'
import type { CloudRequest } from './request.ts'
import type { CloudScheme } from './schemes.ts'

/** Tokens of OAuth that are kept for services that solutions describe, in a process. */
const cloudTokensMax = 10_000
/** Characters of a described service's error that a script gets. */
const cloudErrorCharsMax = 2_000

/** An answer of the HTTP client; undefined if it refused to make the request. */
type Answer = {
  readonly status_code: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string | Uint8Array
}

export type SendInput = {
  readonly call: ServiceCall
  readonly configuration: Configuration
  readonly definition: CloudDefinition
  readonly operation: CloudOperation
  readonly credentials: CloudCredentials
  readonly request: CloudRequest
}

const earlyMs = 30_000
const assumedSeconds = 300

/**
 * Sends requests by the operation `request` of the service `http`, with its guards and limits, and
 * adds the credentials. Tokens of OAuth are kept until shortly before their end.
 */
export class CloudSender {
  readonly #http: Operation
  readonly #clock: Clock
  readonly #tokens = new LruMap<string, { token: string; untilMs: number }>(cloudTokensMax)
  readonly #once = createOnce<string>()

  constructor(http: Operation, clock: Clock) {
    this.#http = http
    this.#clock = clock
  }

  /** @returns what the script gets: the answer's value, or an error. @throws Fault */
  async send(input: SendInput): Promise<ScriptValue> {
    const first = await this.#exchange(input)
    const { answer, dropTokens } = first
    // A token may have been taken back before its end.
    const last = answer.status_code === 401 && dropTokens() ? await this.#exchange(input) : first
    return answerValue(last.answer, [...secretTexts(input.credentials), ...last.secrets])
  }

  async #exchange(input: SendInput) {
    const { call, definition, operation, credentials, request } = input
    const requirement = chooseRequirement(operation.security, credentials)
    const url = new URL(request.url)
    const headers = new Map(request.headers)
    const places: string[] = []
    const secrets: string[] = []
    for (const [name, scopes] of Object.entries(requirement)) {
      const scheme = definition.schemes.get(name)
      const own = credentials[name] ?? {}
      if (scheme?.type === 'client') {
        const place = `${tokenPlace(input.configuration)} ${name} ${scopes.join(' ')}`
        const token = await this.#token(input, place, { scheme, own, scopes })
        places.push(place)
        secrets.push(token)
        headers.set('authorization', `Bearer ${token}`)
      } else addCredentials(scheme, own, url, headers)
    }
    const answer = await this.#request(call, {
      url: url.href,
      method: request.method,
      headers: Object.fromEntries(headers),
      ...(request.body !== undefined && { body: request.body }),
    })
    const dropTokens = () => places.map((place) => this.#tokens.delete(place)).some(Boolean)
    return { answer, secrets, dropTokens }
  }

  async #request(call: ServiceCall, args: ScriptValue): Promise<Answer> {
    // Placeholders of the service http are none here, and neither are its settings.
    const plain = Object.assign({}, args, { credentials: '' })
    const answer = await this.#http({ ...call, configuration: undefined }, plain)
    if (answer === undefined) throw new Fault('invalid_argument', 'the request cannot be made')
    return answer as Answer
  }

  async #token(
    { call }: SendInput,
    place: string,
    { scheme, own, scopes }: ClientScheme,
  ): Promise<string> {
    const known = this.#tokens.get(place)
    if (known !== undefined && this.#clock.nowMs() < known.untilMs) return known.token
    return this.#once(place, async () => {
      const form = new URLSearchParams({ grant_type: 'client_credentials' })
      if (scopes.length > 0) form.set('scope', scopes.join(' '))
      const id = encodeURIComponent(own.client_id ?? '')
      const secret = encodeURIComponent(own.client_secret ?? '')
      const answer = await this.#request(call, {
        url: scheme.tokenUrl,
        method: 'POST',
        headers: {
          accept: 'application/json',
          authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: String(form),
      })
      const { token, seconds } = tokenIn(answer)
      const untilMs = this.#clock.nowMs() + seconds * 1_000 - earlyMs
      this.#tokens.set(place, { token, untilMs })
      return token
    })
  }
}

type ClientScheme = {
  readonly scheme: Extract<CloudScheme, { type: 'client' }>
  readonly own: Readonly<Record<string, string>>
  readonly scopes: readonly string[]
}

/** Other settings are another place: a token of credentials that were replaced is not used. */
function tokenPlace({ id, updatedAt }: Configuration): string {
  return `${id} ${updatedAt}`
}

function tokenIn({ status_code: status, body }: Answer): { token: string; seconds: number } {
  let said: unknown
  try {
    said = parseJson(body, anyJson(100))
  } catch {
    said = undefined
  }
  const { access_token: token, expires_in: given } = (said ?? {}) as Record<string, unknown>
  const isToken = typeof token === 'string' && /^[\x21-\x7e]{1,8192}$/.test(token)
  if (status !== 200 || !isToken) {
    throw new Fault('http_failed', `The service gave no token: it answered ${status}.`)
  }
  const seconds = Number(given ?? assumedSeconds)
  return { token, seconds: Number.isFinite(seconds) ? Math.max(0, seconds) : assumedSeconds }
}

function addCredentials(
  scheme: CloudScheme | undefined,
  own: Readonly<Record<string, string>>,
  url: URL,
  headers: Map<string, string>,
): void {
  if (scheme?.type === 'basic') {
    const pair = Buffer.from(`${own.username}:${own.password}`).toString('base64')
    headers.set('authorization', `Basic ${pair}`)
  } else if (scheme?.type === 'bearer') headers.set('authorization', `Bearer ${own.token}`)
  else if (scheme?.type === 'apiKey' && own.key !== undefined) {
    if (scheme.in === 'query') url.searchParams.set(scheme.name, own.key)
    else if (scheme.in === 'header') headers.set(scheme.name.toLowerCase(), own.key)
    else headers.set('cookie', `${scheme.name}=${encodeURIComponent(own.key)}`)
  } else throw new Fault('invalid_argument', 'the service authenticates in a way that is unknown')
}

/** The value of an answer: JSON as it is, else its text. A refusal is an error of services. */
function answerValue(answer: Answer, secrets: readonly string[]): ScriptValue {
  const { status_code: status, headers, body } = answer
  if (status < 200 || status > 299) {
    const text = typeof body === 'string' ? body : ''
    const safe = secrets.reduce((said, secret) => said.replaceAll(secret, '***'), text)
    const error =
      safe.slice(0, cloudErrorCharsMax).toWellFormed() || `The service answered ${status}.`
    return { type: status < 500 ? 'QueryError' : 'ServerError', error, status }
  }
  if (body.length === 0) return { status }
  const [type = ''] = String(headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
  if (typeof body !== 'string' || !/^application\/(?:json|[^\s/]+\+json)$/.test(type.trim())) {
    return body
  }
  try {
    return parseJson(body, jsonBounds(limits.scriptValueNodesMax)) as ScriptValue
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('http_failed', 'The service did not answer with JSON.', { cause: error })
  }
}

/** Counts one more of a configuration. @throws Fault too_many_requests */
export type CloudRate = (configurationId: string, perMinute: number) => void

const minuteMs = 60_000

/**
 * Counts what a described service is asked, or what it sends, in a minute. Each process counts its
 * own: it bounds the load that one script, or one other cloud, can cause.
 */
export function createCloudRate(clock: Clock, things: 'requests' | 'callbacks'): CloudRate {
  const limiter = new RateLimiter(clock, cloudTokensMax)
  return (id, perMinute) => {
    const leftMs = limiter.take(id, { count: perMinute, windowMs: minuteMs })
    if (leftMs === 0) return
    const sentence = `The service has at most ${perMinute} ${things} a minute.`
    const retryAfterS = Math.ceil(leftMs / 1_000)
    throw new Fault('too_many_requests', sentence, { retryAfterS })
  }
}
