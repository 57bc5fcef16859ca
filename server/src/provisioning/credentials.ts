import { Fault, hashToken, limits } from '../kernel/index.ts'
import { createCache } from './cache.ts'
import type { Connector } from './connector.ts'
import type { Connectors } from './connectors.ts'
import type { ProvisioningOptions } from './needs.ts'
import type { Presence } from './presence.ts'
import { readCredential } from './store/identities.ts'

/** A device that proved who it is. */
export type Device = {
  readonly connector: Connector
  readonly identity: string
}

/** How a credential came. */
export type Connection = {
  readonly encrypted: boolean
  /** Where it came from; with it the device counts as seen. */
  readonly ip?: string
}

export type Credentials = {
  /**
   * Whose token this is. At once where it was asked lately, so that a write waits for nothing but
   * its own commit.
   * @throws Fault `unknown_credential`, `plain_connection`, `locked`; thrown or rejected.
   */
  authenticateToken(token: string, connection: Connection): Device | Promise<Device>
  /** Makes the next use of a credential ask the database. */
  forget(tokenHash: string | null): void
}

type Known = {
  readonly connectorId: string
  readonly identity: string
  readonly locked: boolean
  readonly reprovision: boolean
  devmode: boolean
}

export function createCredentials(
  options: ProvisioningOptions,
  connectors: Connectors,
  presence: Presence,
): Credentials {
  const { database, clock } = options
  const cache = createCache<Known>({
    entriesMax: limits.credentialCacheMax,
    keepMs: limits.credentialCacheMs,
    clock,
    load: async (tokenHash) => {
      const row = await readCredential(database, tokenHash)
      return row && { ...row, connectorId: row.connector_id }
    },
  })

  function admit(
    tokenHash: string,
    known: Known,
    connector: Connector | undefined,
    { encrypted, ip }: Connection,
  ): Device {
    if (connector === undefined || known.reprovision) throw new Fault('unknown_credential')
    if (!encrypted && !connector.devmode) throw new Fault('plain_connection')
    if (known.locked) throw new Fault('locked')
    if (!encrypted && !known.devmode) known.devmode = presence.crossedPlain(tokenHash)
    if (ip !== undefined) presence.seen(connector.id, known.identity, ip)
    return { connector, identity: known.identity }
  }

  function find(
    tokenHash: string,
    known: Known | undefined,
    connection: Connection,
  ): Device | Promise<Device> {
    if (known === undefined) throw new Fault('unknown_credential')
    const connector = connectors.find(known.connectorId)
    return connector instanceof Promise
      ? connector.then((found) => admit(tokenHash, known, found, connection))
      : admit(tokenHash, known, connector, connection)
  }

  return {
    authenticateToken(token, connection) {
      if (token.length !== limits.tokenChars) throw new Fault('unknown_credential')
      const tokenHash = hashToken(token)
      const known = cache.get(tokenHash)
      return known instanceof Promise
        ? known.then((found) => find(tokenHash, found, connection))
        : find(tokenHash, known, connection)
    },
    forget(tokenHash) {
      if (tokenHash !== null) cache.evict(tokenHash)
    },
  }
}
