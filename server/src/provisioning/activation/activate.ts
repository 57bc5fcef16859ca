import { Fault, hashToken, limits, newToken, type Passwords } from '../../kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Device } from '../credentials/credentials.ts'
import type { ProvisioningOptions } from '../needs.ts'
import type { Rotations } from '../rotation/rotations.ts'
import type { Activations } from './activations.ts'
import { type Origin, refuseName, refuseOrigin } from './provision.ts'

const nothing = { tokenHash: null, passwordHash: null, certificate: null }

/**
 * Gives a device a token, once.
 * @returns the token, which is nowhere else: only its hash is kept.
 * @throws Fault `wrong_method`, `plain_connection`, `forbidden` (the connector is switched off),
 *   and what `provision` throws.
 */
async function activate(
  options: ProvisioningOptions,
  activations: Activations,
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
  const brought = { ...nothing, authType: 'token' as const, tokenHash: hashToken(token) }
  await activations.provision({ connector, identity, origin, brought })
  return { token }
}

/**
 * Provisions a device with the password that it brings, once; only its argon2id hash is kept.
 * @throws Fault `wrong_method` (also for a password that is too short), `too_large`,
 *   `plain_connection`, `forbidden`, `overloaded`, and what `provision` throws.
 */
async function activateWithPassword(
  options: ProvisioningOptions & { readonly passwords: Passwords },
  activations: Activations,
  connector: Connector,
  identity: string,
  password: string,
  origin: Origin,
): Promise<void> {
  refusePassword(connector, password)
  refuseOrigin(connector, origin)
  refuseName(identity)
  // A run of argon2 is for those who may come in.
  const refusal = await activations.foresee({ connector, identity, origin })
  if (refusal !== undefined) throw refusal
  const passwordHash = await options.passwords.hash(password)
  const brought = { ...nothing, authType: 'password' as const, passwordHash }
  await activations.provision({ connector, identity, origin, brought })
}

function refusePassword(connector: Connector, password: string): void {
  if (connector.authType !== 'password') {
    const expected = connector.authType === 'token' ? 'gives out tokens' : 'expects a certificate'
    throw new Fault('wrong_method', `A password was sent; the connector ${expected}.`)
  }
  refusePasswordLength(password)
}

/** @throws Fault `wrong_method`, `too_large`. */
export function refusePasswordLength(password: string): void {
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

/** What an activation gives. */
export type Activate = {
  /**
   * Gives a device its token, once; see `activate`. One that proved itself with its old token gets
   * a new one while a rotation is open.
   */
  activate(
    connector: Connector,
    identity: string,
    origin: Origin,
    proven?: Device,
  ): Promise<{ token: string }>
  /** The same with the password that the device brings; see `activateWithPassword`. */
  activateWithPassword(
    connector: Connector,
    identity: string,
    password: string,
    origin: Origin,
    proven?: Device,
  ): Promise<void>
}

export function createActivate(
  options: ProvisioningOptions & { readonly passwords: Passwords },
  activations: Activations,
  rotations: Pick<Rotations, 'fetchToken' | 'bringPassword'>,
): Activate {
  return {
    async activate(connector, identity, origin, proven) {
      const fetched = isSame(proven, connector, identity)
        ? await rotations.fetchToken(proven, origin)
        : undefined
      return fetched ?? activate(options, activations, connector, identity, origin)
    },
    async activateWithPassword(connector, identity, password, origin, proven) {
      const same = isSame(proven, connector, identity)
      if (same && (await rotations.bringPassword(proven, password, origin))) return
      await activateWithPassword(options, activations, connector, identity, password, origin)
    },
  }
}

function isSame(device: Device | undefined, { id }: Connector, identity: string): device is Device {
  return device?.connector.id === id && device.identity === identity
}
