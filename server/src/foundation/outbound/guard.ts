import { BlockList, isIP } from 'node:net'
import { type AllowEntry, bareHost, isAllowed } from './allow.ts'

type Range = readonly [network: string, prefix: number, what: string]

/**
 * Ranges that no IPv4 address of a call may be in. The metadata addresses of clouds lie in some of
 * these.
 */
const refusedV4: readonly Range[] = [
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'carrier-grade NAT'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'cloud metadata'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'reserved'],
  ['198.51.100.0', 24, 'reserved'],
  ['203.0.113.0', 24, 'reserved'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
]

/**
 * IPv6 is the other way round: only global unicast may be called, and of that not the ranges that
 * carry an IPv4 address inside, because what is behind them is up to a translator. So the mapped,
 * compatible and NAT64 (64:ff9b::/96) forms need no rows: they lie outside.
 */
const globalV6: Range = ['2000::', 3, 'global unicast']
const refusedV6: readonly Range[] = [
  ['2001::', 23, 'reserved'],
  ['2001:db8::', 32, 'reserved'],
  ['2002::', 16, '6to4'],
  ['3fff::', 20, 'reserved'],
]

const blocksV4 = refusedV4.map((range) => block(range, 'ipv4'))
const blocksV6 = refusedV6.map((range) => block(range, 'ipv6'))
const global = block(globalV6, 'ipv6')

function block([network, prefix, what]: Range, family: 'ipv4' | 'ipv6') {
  const list = new BlockList()
  list.addSubnet(network, prefix, family)
  return { what, list }
}

/**
 * Why an address may not be called, or undefined where it may. Pure. A text that is not plainly an
 * address (a zone id, an octal form) is refused.
 */
export function refusedAddress(address: string): string | undefined {
  const family = isIP(address)
  if (family === 4) return blocksV4.find((one) => one.list.check(address, 'ipv4'))?.what
  if (family !== 6 || address.includes('%')) return 'not a plain address'
  if (!global.list.check(address, 'ipv6')) return 'not a global address'
  return blocksV6.find((one) => one.list.check(address, 'ipv6'))?.what
}

/** The target of a URL that was found fit: an address, or a name that is still to be resolved. */
export type CallTarget = { readonly host: string; readonly port: number }

const defaultPort = { 'http:': 80, 'https:': 443 } as const

/**
 * The decision about a URL, as far as it can be made without asking for addresses. Pure.
 * @returns where it leads, or the reason (a sentence's end) for which it is refused.
 */
export function judge(url: URL, allow: readonly AllowEntry[]): CallTarget | string {
  const { protocol } = url
  if (protocol !== 'http:' && protocol !== 'https:') return `of the scheme ${protocol}`
  if (url.username !== '' || url.password !== '') return 'with credentials in it'
  const host = bareHost(url.hostname)
  const port = url.port === '' ? defaultPort[protocol] : Number(url.port)
  if (port === 0) return 'with port 0'
  if (isIP(host) === 0 || isAllowed(allow, host, port)) return { host, port }
  return refusedAddress(host) ?? { host, port }
}

/** The first of a name's addresses that may not be called, with its reason. */
export function refusedAmong(
  addresses: readonly string[],
  target: CallTarget,
  allow: readonly AllowEntry[],
): string | undefined {
  if (isAllowed(allow, target.host, target.port)) return undefined
  for (const address of addresses) {
    const reason = isAllowed(allow, address, target.port) ? undefined : refusedAddress(address)
    if (reason !== undefined) return `${address}: ${reason}`
  }
  return addresses.length === 0 ? 'it has no address' : undefined
}
