import { Fault } from '../../../foundation/kernel/index.ts'
import { refuseTime } from '../certificates/client-certificate.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { ConnectionInfo, Device } from '../device.ts'
import { withDevice } from '../device.ts'
import type { ProvisioningOptions } from '../options.ts'
import type { ReadCertificate } from './authenticate-certificate.ts'
import type { Authorizer } from './authorizer.ts'
import type { CachedCredential } from './cached-credential.ts'

/**
 * Checks that a device may keep its open connection, mostly from caches.
 * @throws Fault `unknown_credential` if its credential was replaced since it connected,
 *   `locked`, `plain_connection`.
 */
export type ConnectionCheck = () => Promise<void>

/** The properties of a connection that connector rules check. */
type ConnectionSecurity = Pick<ConnectionInfo, 'encrypted' | 'certificate'>

/** Opens the check of a long-lived connection: its credential may be revoked at any time. */
export type OpenConnectionCheck = (
  device: Device,
  security: ConnectionSecurity,
) => Promise<ConnectionCheck>

/**
 * Checks a connection against the connector's current rules. It reads the database only if a
 * certificate counts.
 * @throws Fault `plain_connection`, `unknown_credential`, and the refusals of a certificate.
 */
export type CheckConnectorRules = (device: Device, security: ConnectionSecurity) => Promise<void>

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
  checkRules: CheckConnectorRules,
): OpenConnectionCheck {
  return async (device, security) => {
    const { connector, identity } = device
    // The cache may be older than the provisioning of a moment ago.
    const then = await authorizer.reread({ connectorId: connector.id, identity })
    return async () => {
      const now = await authorizer.byIdentity(connector.id, identity)
      const current = await connectors.find(connector.id)
      if (now === undefined || current === undefined || !isSame(now, then)) {
        throw withDevice(new Fault('unknown_credential', 'The credential was withdrawn.'), device)
      }
      await authorizer.authorizeCredential(now, current, { encrypted: security.encrypted })
      await checkRules(device, security)
    }
  }
}

/** A token that was replaced ends its connections by its revocation. */
function isSame(now: CachedCredential, then: CachedCredential | undefined): boolean {
  if (then === undefined || now.authType !== then.authType) return false
  return now.authType === 'token' || now.hash === then.hash
}
