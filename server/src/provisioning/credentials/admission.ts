import { Fault, limits } from '../../kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { ProvisioningOptions } from '../needs.ts'
import type { Presence } from '../presence.ts'
import { about } from '../refusal.ts'
import { readCredential, readTokenCredential } from '../store/identities.ts'
import { createCache } from './cache.ts'
import { type CachedCredential, knownOf, secretOf } from './cached-credential.ts'
import { provenBy } from './credential-proof.ts'
import type { Connection, Device } from './credentials.ts'

/** An identity with what is stored of its token. */
export type IdentityRef = {
  readonly connectorId: string
  readonly identity: string
  readonly tokenHash: string | null
}

/** What every way to authenticate ends with: what is known of an identity, and the last checks. */
export type Admission = {
  /** At once where it was asked lately. */
  byToken(tokenHash: string): CachedCredential | Promise<CachedCredential | undefined>
  byIdentity(
    connectorId: string,
    identity: string,
  ): CachedCredential | Promise<CachedCredential | undefined>
  /** The same as the database has it now: another process may have provisioned it again. */
  reread(
    whose: Pick<IdentityRef, 'connectorId' | 'identity'>,
  ): Promise<CachedCredential | undefined>
  /**
   * Lets a proven identity in; it counts as seen. At once, but for the first use of a new
   * credential, which ends the one before.
   * @throws Fault `unknown_credential` (it must activate again, or has a newer one),
   *   `plain_connection`, `locked`; thrown or rejected.
   */
  admit(
    known: CachedCredential,
    connector: Connector,
    connection: Connection,
  ): Device | Promise<Device>
  /** Makes the next use of the identity's credential ask the database. */
  forget(whose: IdentityRef): void
}

/** Makes a new credential the only one of its identity; see rotation/use.ts. */
export type UseNext = (
  known: CachedCredential,
  connector: Connector,
  connection: Connection,
) => Promise<CachedCredential>

export function createAdmission(
  { database, clock }: ProvisioningOptions,
  presence: Presence,
  useNext: UseNext,
): Admission {
  const kept = {
    entriesMax: limits.credentialCacheMax,
    keepMs: limits.credentialCacheMs,
    clock,
  }
  const tokens = createCache<CachedCredential>({
    ...kept,
    load: async (tokenHash) => {
      const known = knownOf(await readTokenCredential(database, tokenHash))
      return known?.tokenHash === tokenHash ? known : (known?.next ?? undefined)
    },
  })
  const identities = createCache<CachedCredential>({
    ...kept,
    load: async (name) => knownOf(await readCredential(database, ...partsOf(name))),
  })
  function refusalOf(
    { awaits, endsAt, locked }: CachedCredential,
    connector: Connector,
    { encrypted }: Connection,
  ): Fault | undefined {
    if (awaits) return new Fault('unknown_credential', 'It must activate again.')
    if (endsAt !== null && clock.nowUs() >= endsAt) {
      return new Fault('unknown_credential', 'The time of the rotation is over.')
    }
    if (!encrypted && !connector.devmode) return new Fault('plain_connection')
    return locked ? new Fault('locked') : undefined
  }

  function enter(
    known: CachedCredential,
    connector: Connector,
    { encrypted, ip }: Connection,
  ): Device {
    if (!encrypted && !known.devmode) known.devmode = presence.crossedPlain(crossingOf(known))
    if (ip !== undefined) presence.seen(connector.id, known.identity, ip)
    return provenBy({ connector, identity: known.identity }, secretOf(known))
  }

  return {
    byToken: (tokenHash) => tokens.get(tokenHash),
    byIdentity: (connectorId, identity) => identities.get(`${connectorId}/${identity}`),
    async reread({ connectorId, identity }) {
      const name = `${connectorId}/${identity}`
      identities.evict(name)
      return identities.get(name)
    },
    admit(known, connector, connection) {
      const fault = refusalOf(known, connector, connection)
      if (fault !== undefined) throw about(fault, { connector, identity: known.identity })
      if (!known.isNext) return enter(known, connector, connection)
      return useNext(known, connector, connection).then((now) => enter(now, connector, connection))
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

function crossingOf({ connectorId, identity, tokenHash, passwordHash }: CachedCredential) {
  return { connectorId, identity, secretHash: tokenHash ?? passwordHash ?? '' }
}
