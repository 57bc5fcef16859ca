import { Fault, hashToken, newToken, type Passwords } from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { ConnectionInfo, Device } from '../device.ts'
import type { ProvisioningOptions } from '../options.ts'
import type { Rotations } from '../rotation/rotations.ts'
import type { Activations } from './activations.ts'
import { refuseConnection, refuseName, refusePasswordLength } from './provision.ts'

/**
 * Gives a device a token, once; only its hash is stored.
 * @throws Fault `wrong_method`, `plain_connection`, `forbidden` (the connector is switched off),
 *   and what `provision` throws.
 */
async function activateWithToken(
  options: ProvisioningOptions,
  activations: Activations,
  connector: Connector,
  identity: string,
  connection: ConnectionInfo,
): Promise<{ token: string }> {
  if (connector.authType !== 'token') {
    throw new Fault('wrong_method', `The connector expects a ${connector.authType}.`)
  }
  refuseConnection(connector, connection)
  refuseName(identity)
  const token = newToken(options.random)
  const credential = { authType: 'token' as const, hash: hashToken(token) }
  await activations.provision({ connector, identity, connection, credential })
  return { token }
}

/**
 * Provisions a device with its password, once; only its argon2id hash is stored.
 * @throws Fault `wrong_method` (also for a password that is too short), `too_large`,
 *   `plain_connection`, `forbidden`, `overloaded`, and what `provision` throws.
 */
async function activateWithPassword(
  options: ProvisioningOptions & { readonly passwords: Passwords },
  activations: Activations,
  connector: Connector,
  identity: string,
  password: string,
  connection: ConnectionInfo,
): Promise<{ token: '' }> {
  refusePassword(connector, password)
  refuseConnection(connector, connection)
  refuseName(identity)
  // Argon2 is expensive: it runs only for devices that may be provisioned.
  const refusal = await activations.preview({ connector, identity, connection })
  if (refusal !== undefined) throw refusal
  const hash = await options.passwords.hash(password)
  const credential = { authType: 'password' as const, hash }
  await activations.provision({ connector, identity, connection, credential })
  return { token: '' }
}

function refusePassword(connector: Connector, password: string): void {
  if (connector.authType !== 'password') {
    const expected = connector.authType === 'token' ? 'gives out tokens' : 'expects a certificate'
    throw new Fault('wrong_method', `A password was sent; the connector ${expected}.`)
  }
  refusePasswordLength(password)
}

/** The means of a device that activates: a token is for one that brings no password. */
export type ActivationInput = {
  readonly password?: string | undefined
  /** The device, if it authenticated with its present credential. */
  readonly authenticated?: Device | undefined
}

/** The activation of devices. */
export type ActivationApi = {
  /**
   * Gives a device a token, or stores the password that it brings, once. A device that is
   * authenticated gets, or brings, a second credential while a rotation is open.
   * @returns the token; empty for a password.
   * @throws Fault what `activateWithToken` and `activateWithPassword` throw.
   */
  activate(
    connector: Connector,
    identity: string,
    connection: ConnectionInfo,
    input?: ActivationInput,
  ): Promise<{ token: string }>
  /** The second part alone; undefined if no rotation is open. */
  readonly renew: Rotations['renew']
}

export function createActivationApi(
  options: ProvisioningOptions & { readonly passwords: Passwords },
  activations: Activations,
  { renew }: Pick<Rotations, 'renew'>,
): ActivationApi {
  return {
    renew,
    async activate(connector, identity, connection, { password, authenticated } = {}) {
      if (isSame(authenticated, connector, identity)) {
        const renewed = await renew(authenticated, connection, password)
        if (renewed !== undefined) return renewed
      }
      return password === undefined
        ? activateWithToken(options, activations, connector, identity, connection)
        : activateWithPassword(options, activations, connector, identity, password, connection)
    },
  }
}

function isSame(device: Device | undefined, { id }: Connector, identity: string): device is Device {
  return device?.connector.id === id && device.identity === identity
}
