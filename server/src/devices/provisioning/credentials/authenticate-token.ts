import { Fault, hashToken, limits } from '../../../foundation/kernel/index.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { CredentialUse, Device } from '../device.ts'
import type { Authorizer } from './authorizer.ts'
import type { CachedCredential } from './cached-credential.ts'

/** Authenticates the device of a token. */
export type AuthenticateToken = (
  token: string,
  connection: CredentialUse,
) => Device | Promise<Device>

/** Returns at once if the token is cached: a write then waits for its commit alone. */
export function createTokenCheck(
  connectors: Pick<Connectors, 'find'>,
  authorizer: Authorizer,
): AuthenticateToken {
  function find(
    known: CachedCredential | undefined,
    connection: CredentialUse,
  ): Device | Promise<Device> {
    if (known === undefined) throw new Fault('unknown_credential')
    const connector = connectors.find(known.connectorId)
    if (!(connector instanceof Promise))
      return authorizer.authorizeCredential(known, connector, connection)
    return connector.then((found) => {
      if (found === undefined) throw new Fault('unknown_credential')
      return authorizer.authorizeCredential(known, found, connection)
    })
  }

  return (token, connection) => {
    if (token.length !== limits.tokenChars) throw new Fault('unknown_credential')
    const known = authorizer.byToken(hashToken(token))
    return known instanceof Promise
      ? known.then((found) => find(found, connection))
      : find(known, connection)
  }
}
