import { Fault, type Passwords } from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Authorizer } from '../credentials/authorizer.ts'
import type { CredentialUse } from '../device.ts'
import { checkIdentity } from '../identities/identity-format.ts'
import type { Activations } from './activations.ts'
import { refuseConnection, refuseName } from './provision.ts'

/** An identity and its password, as one of the readings of a text that holds both. */
export type PasswordPair = { readonly identity: string; readonly password: string }

/**
 * Provisions a device by its first request with a password, if its connector lets devices register
 * themselves: an unknown one, or one that was whitelisted and waits; one that was ordered to
 * activate again has to. All that holds for an activation holds for it.
 * @param pairs possible readings, the likeliest first.
 * @returns the identity that it has now; undefined if this is no first request.
 * @throws Fault what an activation throws, but for an identity that is there already.
 */
export type ProvisionFirst = (
  connector: Connector,
  pairs: readonly PasswordPair[],
  connection: CredentialUse,
) => Promise<string | undefined>

export function createFirstConnect(
  passwords: Passwords,
  activations: Activations,
  authorizer: Pick<Authorizer, 'reread'>,
): ProvisionFirst {
  /** Returns the reading that may be new; undefined if any names a device with a credential. */
  async function findPair(
    connector: Connector,
    pairs: readonly PasswordPair[],
  ): Promise<PasswordPair | undefined> {
    let waiting: PasswordPair | undefined
    for (const pair of pairs) {
      const known = await authorizer.reread({ connectorId: connector.id, identity: pair.identity })
      if (known !== undefined && (!known.awaits || known.authType !== null)) return undefined
      if (known !== undefined) waiting ??= pair
    }
    const conforms = ({ identity }: PasswordPair) =>
      checkIdentity(connector.identityFormat, identity) === undefined
    return waiting ?? pairs.find(conforms)
  }

  return async (connector, pairs, { ip = '', protocol = '', encrypted, provisions }) => {
    const { authType, selfRegistration } = connector
    if (provisions !== true || authType !== 'password' || !selfRegistration) return undefined
    const pair = await findPair(connector, pairs)
    if (pair === undefined) return undefined
    const { identity, password } = pair
    const connection = { ip, protocol, encrypted }
    refuseConnection(connector, connection)
    refuseName(identity)
    try {
      // Argon2 is expensive: it runs only for devices that may be provisioned.
      const refusal = await activations.preview({ connector, identity, connection })
      if (refusal !== undefined) throw refusal
      const credential = { authType: 'password' as const, hash: await passwords.hash(password) }
      await activations.provision({ connector, identity, connection, credential })
    } catch (error) {
      // Another connection of the same device may have been faster: then the password decides.
      if (!(error instanceof Fault) || error.code !== 'already_activated') throw error
    }
    await authorizer.reread({ connectorId: connector.id, identity })
    return identity
  }
}
