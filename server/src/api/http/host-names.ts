import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { LruMap, limits } from '../../foundation/kernel/index.ts'
import type { ListenSettings } from './addresses.ts'
import type { RegisteredKind, RouteHost } from './routes.ts'

/** The first label of the host that notifications have to themselves. */
export const notifyLabel = 'notify'

/** The host of a request. */
export type NamedHost = {
  /** Registered: only the registry of labels has the kind. */
  readonly kind: Exclude<RouteHost, RegisteredKind> | 'registered'
  /** As the request names it; empty if it names none. */
  readonly name: string
  /** The part before the domain; empty for a name that is not under it. */
  readonly label: string
}

/**
 * The names of the instance: the domain, `localhost`, addresses, and the names in `MILLRACE_HTTP`
 * and `MILLRACE_HOSTS`. A page of another site can make a browser call this instance under a name
 * of that site; no such name is one of these.
 */
export class HostNames {
  readonly #domain: string
  readonly #own: ReadonlySet<string>
  /** By the text of the header: to parse it costs more than to look it up. */
  readonly #known = new LruMap<string, NamedHost>(limits.hostCacheMax)

  constructor({ domain, hosts, http }: Pick<ListenSettings, 'domain' | 'hosts' | 'http'>) {
    this.#domain = domain
    this.#own = new Set(['localhost', domain, http.host.toLowerCase(), ...hosts])
  }

  classify({ headers, httpVersion }: IncomingMessage): NamedHost {
    const { host: name = '' } = headers
    if (name === '') {
      return { kind: httpVersion === '1.0' ? 'missing_1_0' : 'missing', name, label: '' }
    }
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const parsed = this.#parse(name)
    if (name.length <= limits.shortHeaderCharsMax) this.#known.set(name, parsed)
    return parsed
  }

  #parse(name: string): NamedHost {
    const label = ''
    const plain = normalizeHost(name)
    if (this.#own.has(plain) || isIP(plain) !== 0) return { kind: 'instance', name, label }
    if (!plain.endsWith(`.${this.#domain}`)) return { kind: 'foreign', name, label }
    const own = plain.slice(0, -this.#domain.length - 1)
    return { kind: own === notifyLabel ? 'notification' : 'registered', name, label: own }
  }
}

/** In lower case, without the port, the brackets of an address and the dot of the root. */
function normalizeHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<=[^.])\.$/, '')
}

const absoluteForm = /^https?:\/\/([^/?#]*)([^#]*)/i

/**
 * Brings a target in absolute form (`GET http://host/path`), as some modems and proxies write it,
 * into origin form.
 * @returns whether the request names one host at most: programs on its way may read two in two
 *   ways.
 */
export function namesOneHost(message: IncomingMessage): boolean {
  if (hasTwoHosts(message)) return false
  const { headers, url = '/' } = message
  if (url.startsWith('/')) return true
  const [, authority = '', path = ''] = absoluteForm.exec(url) ?? []
  if (authority === '') return true
  if (headers.host !== undefined && headers.host.toLowerCase() !== authority.toLowerCase()) {
    return false
  }
  headers.host = authority
  message.url = path.startsWith('/') ? path : `/${path}`
  return true
}

function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}
