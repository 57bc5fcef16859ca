import { Fault } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { Secrets } from '../credentials/secrets.ts'
import type { NewIdentity } from '../identities/schemas.ts'
import { refuseWhitelisting, whitelist } from '../identities/whitelist.ts'
import type { ProvisioningOptions } from '../options.ts'
import type { SignedCertificate } from './issued-certificate.ts'
import { openApiKey } from './pki.ts'
import type { Signer } from './signer.ts'

type SignOptions = { readonly signer: Signer; readonly secrets: Secrets }

/**
 * Lets an identity in, as `whitelist` does, with a certificate that the connector's vendor makes
 * for a signing request. Everything that may be refused is refused before anybody signs; the
 * certificate is associated with the identity last, and alone provisions it from then on.
 * @returns the certificate as PEM.
 * @throws Fault what `signIdentityCsr` and `whitelist` throw.
 */
export async function whitelistSigned(
  options: ProvisioningOptions & SignOptions & { readonly credentials: Credentials },
  connector: Connector,
  identity: string,
  { auth: { type: _, key = '', ...auth } = {}, ...rest }: NewIdentity,
  view: View,
): Promise<string> {
  const input = { auth, ...rest }
  refuseWhitelisting(connector, identity, input)
  const signed = await signIdentityCsr(options, connector, identity, key)
  await whitelist(options, options.credentials, connector, identity, input, { signed, view })
  return signed.certificatePem
}

/**
 * Has a signing request for an identity signed by the connector's vendor. Nothing is stored.
 * @throws Fault `invalid_argument` where the connector has no vendor, and what `Signer` throws.
 */
export async function signIdentityCsr(
  { signer, secrets }: SignOptions,
  connector: Connector,
  identity: string,
  csrPem: unknown,
): Promise<SignedCertificate> {
  const { enabled, vendor, vendorOptions, caPem } = connector.pki
  if (!enabled || vendor === null) {
    throw new Fault(
      'invalid_argument',
      'auth.type csr needs a certificate vendor: enable the PKI of the connector and choose one',
    )
  }
  return signer.sign(connector.id, identity, csrPem, {
    ...vendorOptions,
    vendor,
    apiKey: openApiKey(secrets, connector),
    caPem: caPem ?? '',
  })
}
