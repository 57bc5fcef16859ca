import { isIP } from 'node:net'
import { Fault } from '../kernel/index.ts'

/** An address that the operator allowed: a host (name or address) at a port, or at any (`*`). */
export type AllowEntry = { readonly host: string; readonly port: number | '*' }

/** The highest port that there is. */
const portMax = 65_535

/**
 * Reads the operator's entries: `127.0.0.1:9401`, `[::1]:9401`, `insights.lan:443`, `10.0.0.7:*`.
 * A name stands for whatever it resolves to; an address also for names that resolve to it.
 * @throws Fault invalid_argument, naming the entry that cannot be read.
 */
export function parseAllow(entries: readonly string[]): readonly AllowEntry[] {
  return entries.map(parseEntry)
}

function parseEntry(text: string): AllowEntry {
  const colon = text.lastIndexOf(':')
  const host = normalHost(text.slice(0, Math.max(colon, 0)))
  const port = parsePort(text.slice(colon + 1))
  if (host === undefined || port === undefined) {
    throw new Fault('invalid_argument', `The entry "${text}" is not of the form host:port.`)
  }
  return { host, port }
}

function parsePort(text: string): number | '*' | undefined {
  if (text === '*') return '*'
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= portMax ? port : undefined
}

/** A host in the one spelling that URL gives it, IPv6 without its brackets. */
function normalHost(text: string): string | undefined {
  // It would be taken for a name, and open nothing where the operator meant everything.
  if (text === '' || text.includes('*')) return undefined
  const url = URL.parse(`http://${isIP(text) === 6 ? `[${text}]` : text}/`)
  if (url === null || url.host !== url.hostname) return undefined
  return url.username === '' && url.pathname === '/' ? bareHost(url.hostname) : undefined
}

/** A URL's host name without an IPv6 literal's brackets. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** Returns whether the operator allowed this host at this port. */
export function isAllowed(allow: readonly AllowEntry[], host: string, port: number): boolean {
  return allow.some((entry) => entry.host === host && (entry.port === '*' || entry.port === port))
}
