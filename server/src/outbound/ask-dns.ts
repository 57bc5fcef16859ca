import { promises } from 'node:dns'
import { limits } from '../kernel/index.ts'
import type { Lookup } from './lookup.ts'

/**
 * Asks DNS for a guest's names, without a thread. The machine's own way (`dns.lookup`) has two
 * threads for the whole process: a name whose server never answers would hold up everybody's. It
 * knows nothing of /etc/hosts; such names are private, and the operator names them.
 */
export const askDns: Lookup = (hostname, _options, callback) => {
  // Of its own each time, so that a change of the machine's servers is heard of.
  const resolver = new promises.Resolver({ timeout: limits.outboundDnsMs, tries: 2 })
  const addressesOf = (answers: readonly string[], family: 4 | 6) =>
    answers.map((address) => ({ address, family }))
  const found = Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  found.then(([four, six]) => {
    const addresses = [
      ...addressesOf(four.status === 'fulfilled' ? four.value : [], 4),
      ...addressesOf(six.status === 'fulfilled' ? six.value : [], 6),
    ]
    const failed = four.status === 'rejected' && addresses.length === 0
    callback(failed ? (four.reason as NodeJS.ErrnoException) : null, addresses)
  })
}
