import { createSecureContext, type SecureContext } from 'node:tls'
import type { Hosts } from '../hosts/index.ts'
import { type Logger, limits } from '../kernel/index.ts'
import type { ServerAuthority } from '../provisioning/index.ts'
import type { ListenSettings } from './addresses.ts'
import { notifyLabel } from './host-names.ts'

export type ServerNamesOptions = {
  readonly config: Pick<ListenSettings, 'domain' | 'deviceTls'>
  readonly authority: ServerAuthority
  readonly hosts: Pick<Hosts, 'kindOf'>
  readonly logger: Logger
}

/**
 * Makes the options of TLS servers. Each connector's and solution's host gets a certificate of its
 * own; no other name makes one.
 */
export async function tlsOptions(options: ServerNamesOptions) {
  const { config, authority, hosts, logger } = options
  const contexts = new Map<string, SecureContext>()
  const contextFor = async (host: string) => {
    const kept = contexts.get(host)
    if (kept !== undefined) return kept
    const context = createSecureContext(await authority.certificateFor(host))
    if (contexts.size >= limits.hostCertificatesMax) contexts.clear()
    contexts.set(host, context)
    return context
  }
  const isOwnName = async (name: string) => {
    if (name === config.domain || name === `${notifyLabel}.${config.domain}`) return true
    const [label = '', ...rest] = name.split('.')
    if (rest.join('.') !== config.domain) return false
    return (await hosts.kindOf(label)) !== undefined
  }
  return {
    ...(await authority.certificateFor(config.deviceTls.host)),
    minVersion: 'TLSv1.2' as const,
    // The client's certificate is validated by its connector, not here. No context names an
    // authority, because some clients then send no certificate of another.
    requestCert: true,
    rejectUnauthorized: false,
    SNICallback(name: string, done: (error: Error | null, context?: SecureContext) => void) {
      const host = name.toLowerCase()
      isOwnName(host)
        .then(async (ours) => done(null, ours ? await contextFor(host) : undefined))
        .catch((error) => {
          logger.error({ err: error, host }, 'making a server certificate failed')
          done(error)
        })
    },
  }
}
