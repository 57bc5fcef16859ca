import type { X509Certificate } from 'node:crypto'
import { Fault } from '../../kernel/index.ts'
import { refuseTime } from '../certificates/client-certificate.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { Device } from '../device.ts'
import { withDevice } from '../device.ts'
import type { ProvisioningOptions } from '../options.ts'
import type { ReadCertificate } from './authenticate-certificate.ts'
import type { Authorizer } from './authorizer.ts'
import type { CachedCredential } from './cached-credential.ts'

/**
 * Whether a device may go on with the connection on which it was let in, asked from memory.
 * @throws Fault `unknown_credential` where its credential is not the one of then any more,
 *   `locked`, `plain_connection`.
 */
export type ConnectionCheck = () => Promise<void>

/** On what a device was let in. */
export type ConnectionSecurity = {
  readonly encrypted: boolean
  /** Of its TLS connection, if it brought one. */
  readonly certificate: X509Certificate | undefined
}

/** For connections that live long: their credential is proved once, and withdrawn at any time. */
export type OpenConnectionCheck = (
  device: Device,
  link: ConnectionSecurity,
) => Promise<ConnectionCheck>

/**
 * Whether the connector's rules of now let a device speak on its connection. It costs no question
 * to the database where no certificate counts.
 * @throws Fault `plain_connection`, `unknown_credential`, and what a certificate is refused with.
 */
export type CheckConnectorRules = (device: Device, link: ConnectionSecurity) => Promise<void>

export function createConnectorRulesCheck(
  { clock }: Pick<ProvisioningOptions, 'clock'>,
  connectors: Pick<Connectors, 'find'>,
  authorizer: Authorizer,
  readCertificate: ReadCertificate,
): CheckConnectorRules {
  return async ({ connector, identity }, { encrypted, certificate }) => {
    const current = await connectors.find(connector.id)
    if (current === undefined) throw new Fault('unknown_credential', 'The connector is gone.')
    if (!encrypted && !current.devmode) throw new Fault('plain_connection')
    if (certificate === undefined) return
    const known = await authorizer.byIdentity(connector.id, identity)
    if (known?.authType !== 'certificate') return
    refuseTime(await readCertificate(current, certificate), clock.nowMs())
  }
}

export function createConnectionChecks(
  connectors: Pick<Connectors, 'find'>,
  authorizer: Authorizer,
  judge: CheckConnectorRules,
): OpenConnectionCheck {
  return async (device, link) => {
    const { connector, identity } = device
    // What is kept in memory may be of the time before it was provisioned, a moment ago.
    const then = await authorizer.reread({ connectorId: connector.id, identity })
    return async () => {
      const now = await authorizer.byIdentity(connector.id, identity)
      const current = await connectors.find(connector.id)
      if (now === undefined || current === undefined || !isSame(now, then)) {
        throw withDevice(new Fault('unknown_credential', 'The credential was withdrawn.'), device)
      }
      await authorizer.authorizeCredential(now, current, { encrypted: link.encrypted })
      await judge(device, link)
    }
  }
}

function isSame(now: CachedCredential, then: CachedCredential | undefined): boolean {
  return now.passwordHash === then?.passwordHash && now.certificate === then.certificate
}
