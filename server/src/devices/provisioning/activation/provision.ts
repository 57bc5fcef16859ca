import { Fault, invalidField, limits } from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import { allowsAddress } from '../connectors/ip-restriction.ts'
import type { ConnectionInfo } from '../device.ts'
import { refuseIdentity } from '../identities/identity-format.ts'
import { provisioningLimits } from '../limits.ts'
import type { StoredCredential } from '../store/activations.ts'

/** A device's new credential, without `plain`, which depends on the connection. */
export type NewCredential = Omit<StoredCredential, 'plain'>

/**
 * The settings that hold for every method.
 * @throws Fault `plain_connection`, `forbidden`, `address_not_allowed`.
 */
export function refuseConnection(connector: Connector, connection: ConnectionInfo): void {
  if (!connection.encrypted && !connector.devmode) throw new Fault('plain_connection')
  if (!connector.enabled) throw new Fault('forbidden', 'the connector activates no devices now')
  if (!allowsAddress(connector.ipRestriction, connection.ip)) {
    const from = connection.ip || 'an unknown address'
    throw new Fault('address_not_allowed', `The connector provisions no devices from ${from}.`)
  }
}

/** @throws Fault `invalid_argument` for what can be no identity. */
export function refuseName(identity: string): void {
  const refusal = refuseIdentity(identity)
  if (refusal !== undefined) throw invalidField('identity', refusal)
}

/** @throws Fault `wrong_method`, `too_large`. */
export function refusePasswordLength(password: string): void {
  const bytes = Buffer.byteLength(password)
  if (bytes < provisioningLimits.devicePasswordBytesMin) {
    const least = `at least ${provisioningLimits.devicePasswordBytesMin} bytes`
    throw new Fault('wrong_method', `The password must have ${least}; it has ${bytes}.`)
  }
  if (bytes > limits.devicePasswordBytesMax) {
    const most = `at most ${limits.devicePasswordBytesMax} bytes`
    throw new Fault('too_large', `The password must have ${most}; it has ${bytes}.`)
  }
}
