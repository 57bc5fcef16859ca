import { Fault, hashToken, limits, newToken, type Passwords } from '../kernel/index.ts'
import type { Connector } from './connector.ts'
import type { ProvisioningOptions } from './needs.ts'
import type { Presence } from './presence.ts'
import { foresee, type Origin, provision, refuseName, refuseOrigin } from './provision.ts'

const nothing = { tokenHash: null, passwordHash: null, certificate: null }

/**
 * Gives a device a token, once.
 * @returns the token, which is nowhere else: only its hash is kept.
 * @throws Fault `wrong_method`, `plain_connection`, `forbidden` (the connector is switched off),
 *   and what `provision` throws.
 */
export async function activate(
  options: ProvisioningOptions,
  presence: Presence,
  connector: Connector,
  identity: string,
  origin: Origin,
): Promise<{ token: string }> {
  if (connector.authType !== 'token') {
    throw new Fault('wrong_method', `The connector expects a ${connector.authType}.`)
  }
  refuseOrigin(connector, origin)
  refuseName(identity)
  const token = newToken(options.random)
  const credential = { ...nothing, authType: 'token' as const, tokenHash: hashToken(token) }
  await provision(options, presence, connector, identity, origin, credential)
  return { token }
}

/**
 * Provisions a device with the password that it brings, once; only its argon2id hash is kept.
 * @throws Fault `wrong_method` (also for a password that is too short), `too_large`,
 *   `plain_connection`, `forbidden`, `overloaded`, and what `provision` throws.
 */
export async function activateWithPassword(
  options: ProvisioningOptions & { readonly passwords: Passwords },
  presence: Presence,
  connector: Connector,
  identity: string,
  password: string,
  origin: Origin,
): Promise<void> {
  refusePassword(connector, password)
  refuseOrigin(connector, origin)
  refuseName(identity)
  // A run of argon2 is for those who may come in.
  const refusal = await foresee(options, connector, identity)
  if (refusal !== undefined) throw refusal
  const passwordHash = await options.passwords.hash(password)
  const credential = { ...nothing, authType: 'password' as const, passwordHash }
  await provision(options, presence, connector, identity, origin, credential)
}

function refusePassword(connector: Connector, password: string): void {
  if (connector.authType !== 'password') {
    const expected = connector.authType === 'token' ? 'gives out tokens' : 'expects a certificate'
    throw new Fault('wrong_method', `A password was sent; the connector ${expected}.`)
  }
  const bytes = Buffer.byteLength(password)
  if (bytes < limits.devicePasswordBytesMin) {
    const least = `at least ${limits.devicePasswordBytesMin} bytes`
    throw new Fault('wrong_method', `The password must have ${least}; it has ${bytes}.`)
  }
  if (bytes > limits.devicePasswordBytesMax) {
    const most = `at most ${limits.devicePasswordBytesMax} bytes`
    throw new Fault('too_large', `The password must have ${most}; it has ${bytes}.`)
  }
}
