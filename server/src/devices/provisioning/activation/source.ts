import { isIP } from 'node:net'

const ipv6Groups = 8
const networkGroups = 4

/**
 * Returns the key of a caller for rate limits: an IPv4 address, or the first 64 bits of an IPv6
 * address, since a caller has a whole network. The zone of a link-local address is dropped.
 */
export function rateKey(ip: string): string {
  const [address = ''] = ip.split('%')
  if (isIP(address) !== 6) return address
  const groups = splitGroups(address)
  const isMapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff'
  if (isMapped) return dotted(groups.slice(6))
  return `${groups.slice(0, networkGroups).join(':')}::/64`
}

/** The eight groups, written in one way. */
function splitGroups(address: string): string[] {
  const { hostname } = new URL(`http://[${address}]`)
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')))
  const zeros = Array.from({ length: ipv6Groups - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right]
}

function dotted(groups: readonly string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 0xff])
    .join('.')
}
