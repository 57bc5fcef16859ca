import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { ListenSettings } from './settings.ts'

/** The first label of the host that notifications have to themselves. */
export const notifyLabel = 'notify'

/**
 * The kind of a host name: the instance's own, one under its domain, neither, or left out.
 */
export type HostPlace =
  | { readonly kind: 'own' | 'missing' }
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'foreign'; readonly name: string }

/**
 * Own are the domain, `localhost`, addresses, and what `MILLRACE_HTTP` and `MILLRACE_HOSTS` name.
 * A page of another site can make a browser call this instance under a name of that site; no such
 * name is one of these.
 */
export type HostNames = {
  placeOf(host: string | undefined): HostPlace
}

export function createHostNames(
  config: Pick<ListenSettings, 'domain' | 'hosts' | 'http'>,
): HostNames {
  const { domain } = config
  const own = new Set(['localhost', domain, config.http.host.toLowerCase(), ...config.hosts])
  return {
    placeOf(host = '') {
      if (host === '') return { kind: 'missing' }
      const name = nameOf(host)
      if (own.has(name) || isIP(name) !== 0) return { kind: 'own' }
      if (name.endsWith(`.${domain}`)) {
        return { kind: 'label', label: name.slice(0, -domain.length - 1) }
      }
      return { kind: 'foreign', name: host }
    },
  }
}

/** In lower case, without the port, the brackets of an address and the dot of the root. */
function nameOf(host: string): string {
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
