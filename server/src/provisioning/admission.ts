import { Fault, limits } from '../kernel/index.ts'
import { createCache } from './cache.ts'
import type { AuthType, Connector } from './connector.ts'
import type { Connection, Device } from './credentials.ts'
import type { ProvisioningOptions } from './needs.ts'
import type { Presence } from './presence.ts'
import { about } from './refusal.ts'
import { type CredentialRow, readCredential, readTokenCredential } from './store/identities.ts'

/** What is known of an identity's credential, for `limits.credentialCacheMs`. */
export type Known = {
  readonly connectorId: string
  readonly identity: string
  readonly authType: AuthType | null
  readonly locked: boolean
  readonly awaits: boolean
  readonly tokenHash: string | null
  readonly passwordHash: string | null
  readonly certificate: string | null
  readonly certificateGiven: string | null
  devmode: boolean
}

/** An identity with what is stored of its token. */
export type Whose = {
  readonly connectorId: string
  readonly identity: string
  readonly tokenHash: string | null
}

/** What every way to authenticate ends with: what is known of an identity, and the last checks. */
export type Admission = {
  /** At once where it was asked lately. */
  byToken(tokenHash: string): Known | Promise<Known | undefined>
  byIdentity(connectorId: string, identity: string): Known | Promise<Known | undefined>
  /** The same as the database has it now: another process may have provisioned it again. */
  reread(whose: Pick<Whose, 'connectorId' | 'identity'>): Promise<Known | undefined>
  /**
   * Lets a proven identity in; it counts as seen.
   * @throws Fault `unknown_credential` (it must activate again), `plain_connection`, `locked`.
   */
  admit(known: Known, connector: Connector, connection: Connection): Device
  /** Makes the next use of the identity's credential ask the database. */
  forget(whose: Whose): void
}

export function createAdmission(
  { database, clock }: ProvisioningOptions,
  presence: Presence,
): Admission {
  const kept = {
    entriesMax: limits.credentialCacheMax,
    keepMs: limits.credentialCacheMs,
    clock,
  }
  const tokens = createCache<Known>({
    ...kept,
    load: async (tokenHash) => knownOf(await readTokenCredential(database, tokenHash)),
  })
  const identities = createCache<Known>({
    ...kept,
    load: async (name) => knownOf(await readCredential(database, ...partsOf(name))),
  })
  return {
    byToken: (tokenHash) => tokens.get(tokenHash),
    byIdentity: (connectorId, identity) => identities.get(`${connectorId}/${identity}`),
    async reread({ connectorId, identity }) {
      const name = `${connectorId}/${identity}`
      identities.evict(name)
      return identities.get(name)
    },
    admit(known, connector, { encrypted, ip }) {
      const device = { connector, identity: known.identity }
      const refuse = (fault: Fault) => about(fault, device)
      if (known.awaits) throw refuse(new Fault('unknown_credential', 'It must activate again.'))
      if (!encrypted && !connector.devmode) throw refuse(new Fault('plain_connection'))
      if (known.locked) throw refuse(new Fault('locked'))
      if (!encrypted && !known.devmode) known.devmode = presence.crossedPlain(crossingOf(known))
      if (ip !== undefined) presence.seen(connector.id, known.identity, ip)
      return device
    },
    forget({ connectorId, identity, tokenHash }) {
      if (tokenHash !== null) tokens.evict(tokenHash)
      identities.evict(`${connectorId}/${identity}`)
    },
  }
}

/** A connector's id holds no slash. */
function partsOf(name: string): [string, string] {
  const at = name.indexOf('/')
  return [name.slice(0, at), name.slice(at + 1)]
}

function crossingOf({ connectorId, identity, tokenHash, passwordHash }: Known) {
  return { connectorId, identity, secretHash: tokenHash ?? passwordHash ?? '' }
}

function knownOf(row: CredentialRow | undefined): Known | undefined {
  return (
    row && {
      connectorId: row.connector_id,
      identity: row.identity,
      authType: row.auth_type,
      locked: row.locked,
      awaits: row.awaits,
      devmode: row.devmode,
      tokenHash: row.token_hash,
      passwordHash: row.password_hash,
      certificate: row.certificate,
      certificateGiven: row.certificate_given,
    }
  )
}
