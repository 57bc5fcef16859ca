import { type LookupAddress, type LookupAllOptions, type LookupOptions, promises } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Fault, isLocalName } from '../kernel/index.ts'
import { type AllowEntry, isAllowed } from './allow.ts'
import { type CallTarget, refusedAmong } from './guard.ts'

/** The time after which a DNS query for the name of a guest's call is repeated, once. */
const outboundDnsMs = 2_000

/** Resolves names to addresses: node's `dns.lookup`, or a test's stub. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Returns the fault of a refusal: it shows the name, and not its address. */
export function refusal(host: string): Fault {
  return new Fault('address_refused', `The operator does not allow calls to ${host}.`)
}

/**
 * A lookup for one target's connections. It runs for each connection, so an answer that changes
 * between a check and a connecting gains nothing: there is no check apart from the connecting. A
 * single forbidden address refuses the name, whatever else it resolves to.
 */
export function guardedLookup(
  target: CallTarget,
  allow: readonly AllowEntry[],
  lookup: Lookup,
  onRefused: (reason: string) => void,
): LookupFunction {
  const resolve = isLocalName(target.host) ? localLookup(target, allow) : lookup
  return (hostname, options: LookupOptions, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const found = addresses.map((one) => one.address)
      const reason = refusedAmong(found, target, allow)
      const first = addresses[0]
      if (reason !== undefined || first === undefined) {
        onRefused(`${target.host} is ${reason}`)
        return callback(refusal(target.host), '')
      }
      if (options.all === true) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
}

const localAddresses: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** The addresses of this machine that are allowed by their numbers. */
export function listLocal(allow: readonly AllowEntry[], port: number): LookupAddress[] {
  return localAddresses.filter(({ address }) => isAllowed(allow, address, port))
}

/** Needs no DNS. These addresses cannot be given by others, so those that are allowed are used. */
function localLookup({ host, port }: CallTarget, allow: readonly AllowEntry[]): Lookup {
  const open = listLocal(allow, port)
  const isOpen = isAllowed(allow, host, port) || open.length === 0
  return (_hostname, _options, callback) => callback(null, isOpen ? [...localAddresses] : open)
}

/**
 * Queries DNS for a guest's names, without a thread. The machine's own way (`dns.lookup`) has two
 * threads for the whole process: a name whose server never answers would delay all others. It
 * does not read /etc/hosts; such names are private, and the operator allows them.
 */
export const askDns: Lookup = (hostname, _options, callback) => {
  // A new one each time, which reads the name servers of the machine again.
  const resolver = new promises.Resolver({ timeout: outboundDnsMs, tries: 2 })
  const toAddresses = (answers: readonly string[], family: 4 | 6) =>
    answers.map((address) => ({ address, family }))
  const found = Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  found.then(([four, six]) => {
    const addresses = [
      ...toAddresses(four.status === 'fulfilled' ? four.value : [], 4),
      ...toAddresses(six.status === 'fulfilled' ? six.value : [], 6),
    ]
    const failed = four.status === 'rejected' && addresses.length === 0
    callback(failed ? (four.reason as NodeJS.ErrnoException) : null, addresses)
  })
}
