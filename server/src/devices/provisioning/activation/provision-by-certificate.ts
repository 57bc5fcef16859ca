import { Fault } from '../../../foundation/kernel/index.ts'
import type { ClientCertificate } from '../certificates/client-certificate.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Authorizer } from '../credentials/authorizer.ts'
import { type CachedCredential, credentialHash } from '../credentials/cached-credential.ts'
import type { ConnectionInfo } from '../device.ts'
import type { ProvisioningOptions } from '../options.ts'
import { keepCertificateEnds } from '../store/certificates.ts'
import type { Activations } from './activations.ts'
import { refuseConnection, refuseName } from './provision.ts'

type ProvisionByCertificateOptions = Pick<ProvisioningOptions, 'database' | 'logger'> & {
  readonly activations: Activations
  readonly authorizer: Authorizer
}

/** Returns true if the certificate is the one associated with a provisioned device. */
function matches(known: CachedCredential, { fingerprint }: ClientCertificate): boolean {
  return !known.awaits && known.authType === 'certificate' && credentialHash(known) === fingerprint
}

/** Returns the credential of this certificate, of the one or two that a device may have. */
export function matchingCredential(
  known: CachedCredential | undefined,
  certificate: ClientCertificate,
): CachedCredential | undefined {
  return [known, known?.next].find((one) => one && matches(one, certificate)) ?? undefined
}

/**
 * Provisions a device with the certificate that it came with, which is associated with it from now
 * on. There is no activation with this method: its first request is that.
 * @param known null for an identity that is not whitelisted.
 * @throws Fault `certificate_mismatch`, `certificate_untrusted`, `unknown_credential`,
 *   `address_not_allowed`, `forbidden`, and what `provision` throws.
 */
export async function provisionByCertificate(
  options: ProvisionByCertificateOptions,
  connector: Connector,
  certificate: ClientCertificate,
  known: CachedCredential | null,
  connection: ConnectionInfo,
): Promise<void> {
  const { identity, fingerprint } = certificate
  refuseMethod(connector, certificate, known?.certificateGiven ?? null)
  refuseName(identity)
  refuseConnection(connector, connection)
  const credential = { authType: 'certificate' as const, hash: fingerprint }
  try {
    await options.activations.provision({
      connector,
      identity,
      connection,
      credential,
    })
  } catch (error) {
    // Another connection of the same device may have been faster.
    const now = await options.authorizer.reread({ connectorId: connector.id, identity })
    if (now === undefined || now.locked || !matches(now, certificate)) throw error
  }
  await keepEnd(options, connector, certificate)
}

const usPerMs = 1_000

/** The device is provisioned: that the end of its certificate is not kept fails nothing for it. */
async function keepEnd(
  { database, logger }: ProvisionByCertificateOptions,
  { id }: Connector,
  { identity, fingerprint, until }: ClientCertificate,
): Promise<void> {
  const end = { identity, fingerprint, until: until * usPerMs }
  await keepCertificateEnds(database, id, [end]).catch((error: unknown) => {
    logger.warn({ err: error, connector: id }, 'failed to keep when a certificate ends')
  })
}

/** Rejects a certificate that is neither the identity's own nor signed by the client CA. */
function refuseMethod(
  { authType, pki }: Connector,
  { signed, fingerprint }: ClientCertificate,
  given: string | null,
): void {
  if (given !== null) {
    if (given === fingerprint) return
    throw new Fault('certificate_mismatch', 'Another certificate was given to the identity.')
  }
  if (authType !== 'certificate') {
    throw new Fault('unknown_credential', `The connector expects a ${authType}.`)
  }
  if (signed) return
  const why = pki.enabled ? 'has no client CA certificate yet' : 'has no PKI'
  throw new Fault(
    'certificate_untrusted',
    `The connector ${why}, and no certificate was given to the identity.`,
  )
}
