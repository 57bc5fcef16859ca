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

export type Credentials = {
  /**
   * Whose token this is. At once where it was asked lately, so that a write waits for nothing but
   * its own commit.
   * @throws Fault `unknown_credential`, `plain_connection`, `locked`; thrown or rejected.
   */
  authenticateToken(
    token: string,
    connection: { readonly encrypted: boolean },
  ): Device | Promise<Device>
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
    encrypted: boolean,
  ): Device {
    if (connector === undefined || known.reprovision) throw new Fault('unknown_credential')
    if (!encrypted && !connector.devmode) throw new Fault('plain_connection')
    if (known.locked) throw new Fault('locked')
    if (!encrypted && !known.devmode) known.devmode = presence.crossedPlain(tokenHash)
    return { connector, identity: known.identity }
  }

  return {
    authenticateToken(token, { encrypted }) {
      if (token.length !== limits.tokenChars) throw new Fault('unknown_credential')
      const tokenHash = hashToken(token)
      const known = cache.get(tokenHash)
      const connector = known instanceof Promise ? known : connectors.find(known.connectorId)
      if (!(known instanceof Promise) && !(connector instanceof Promise)) {
        return admit(tokenHash, known, connector as Connector, encrypted)
      }
      return askDatabase()

      async function askDatabase(): Promise<Device> {
        const found = await known
        if (found === undefined) throw new Fault('unknown_credential')
        return admit(tokenHash, found, await connectors.find(found.connectorId), encrypted)
      }
    },
    forget(tokenHash) {
      if (tokenHash !== null) cache.evict(tokenHash)
    },
  }
}
