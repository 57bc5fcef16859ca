import {
  Fault,
  isJsonObject,
  type Json,
  limits,
  parseJsonObject,
} from '../../../foundation/kernel/index.ts'
import { httpClientLimits } from './limits.ts'

/** Hosts to which one credential of the HTTP client may be sent. */
const httpCredentialHostsMax = 20

/** A secret, and the hosts to which alone it is sent; undefined: to any host. */
type HttpCredential = { readonly value: string; readonly hosts: readonly string[] | undefined }

/** Secrets by the names that requests use for them. */
export type HttpCredentials = ReadonlyMap<string, HttpCredential>

const name = /^[A-Za-z_][\w.-]{0,99}$/

function refused(rule: string): Fault {
  return new Fault('invalid_argument', `credentials ${rule}`)
}

/**
 * Reads `{"name": "value"}`, with `{"value", "hosts"}` for a secret that is sent to these hosts
 * alone, or lines of `name=value`. A message names no value.
 * @throws Fault invalid_argument
 */
export function parseCredentials(text: string): HttpCredentials {
  if (text.length > limits.httpCredentialsCharsMax) {
    throw refused(`has at most ${limits.httpCredentialsCharsMax} characters`)
  }
  const pairs = text.trimStart().startsWith('{') ? pairsOfJson(text) : pairsOfLines(text)
  const credentials = new Map(pairs)
  if (credentials.size < pairs.length) throw refused('has the same name twice')
  for (const [key, { value }] of credentials) {
    if (!name.test(key)) throw refused('has a name that is not of letters, digits, and "._-"')
    if (value.includes('\0') || !value.isWellFormed()) throw refused(`has a bad value of ${key}`)
  }
  return credentials
}

type Pairs = [string, HttpCredential][]

function pairsOfJson(text: string): Pairs {
  const object = parseJsonObject(text)
  if (object === undefined) throw refused('begins like JSON but is not a JSON object')
  return Object.entries(object).map(([key, given]) => {
    const { value, hosts, ...more } = isJsonObject(given) ? given : { value: given }
    if (typeof value !== 'string' || Object.keys(more).length > 0) {
      throw refused('has a value that is neither a string nor an object of value and hosts')
    }
    return [key, { value, hosts: hosts === undefined ? undefined : parseHosts(hosts) }]
  })
}

function parseHosts(given: Json): string[] {
  const hosts = Array.isArray(given) ? given : []
  const read = hosts.map(hostIn)
  if (read.length > 0 && read.length <= httpCredentialHostsMax) return read
  throw refused(`has hosts that are not a list of 1 to ${httpCredentialHostsMax} hosts`)
}

function hostIn(given: Json): string {
  const url =
    typeof given === 'string' && !/[/\\@?#*]/.test(given) && URL.parse(`https://${given}/`)
  if (url) return formatHost(url)
  throw refused('has a host that is not of the form name or name:port')
}

/** A host without a port is that of https: what is sent to it is not sent there in the clear. */
function formatHost({ protocol, hostname, port, host }: URL): string {
  return protocol === 'http:' && port === '' ? `${hostname}:80` : host
}

function pairsOfLines(text: string): Pairs {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const at = line.indexOf('=')
    if (at < 0) throw refused('has a line that is not of the form name=value')
    const value = line.slice(at + 1).trim()
    return [line.slice(0, at).trim(), { value, hosts: undefined }]
  })
}

/** Replaces `{{name}}` by the secret of that name, within one request. */
export type Replacer = {
  /** `encode` escapes a value for its place. Unknown names are left as they are. */
  (text: string, encode?: (value: string) => string): string
  /** True once a secret was inserted. */
  readonly used: boolean
}

const placeholder = /\{\{\s*([A-Za-z_][\w.-]{0,99})\s*\}\}/g

/**
 * The texts of one request may grow by so much together: short names can stand for long values.
 * @param url where the request goes; a secret for other hosts refuses it
 */
export function createReplacer(credentials: HttpCredentials, url: URL): Replacer {
  let left: number = httpClientLimits.httpBodyBytesMax
  let used = false
  function replace(text: string, encode = (value: string) => value): string {
    if (credentials.size === 0) return text
    return text.replace(placeholder, (whole, key: string) => {
      const known = credentials.get(key)
      if (known === undefined) return whole
      if (known.hosts?.includes(formatHost(url)) === false) {
        throw refused(`has ${key} for ${known.hosts.join(', ')}, and not for ${url.host}`)
      }
      const fit = encode(known.value)
      left -= fit.length
      if (left < 0) throw refused('makes the request too long')
      used = true
      return fit
    })
  }
  return Object.defineProperty(replace, 'used', { get: () => used }) as Replacer
}
