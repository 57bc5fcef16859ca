import type { Database } from '../../../foundation/database/index.ts'
import {
  type Batcher,
  type Clock,
  createBatcher,
  Fault,
  limits,
} from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { CredentialUse, Device } from '../device.ts'
import { withDevice } from '../device.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import type { Sightings } from '../sightings.ts'
import { noteTokenUsed } from '../store/activations.ts'
import {
  type CredentialRow,
  type IdentityName,
  readCredentials,
  readTokenCredentials,
} from '../store/identities.ts'
import { createCache } from './cache.ts'
import { type CachedCredential, credentialHash, toCachedCredential } from './cached-credential.ts'

/** Credentials that one statement reads. */
const credentialReadsBatchMax = 1_000
/** Reads of credentials that wait in a process. Past it requests are refused with 503. */
const credentialReadsWaitingMax = 100_000

/** An identity with the hash of its credential, which may be a key of cached ones. */
export type IdentityRef = {
  readonly connectorId: string
  readonly identity: string
  readonly credential: string | null
}

/** The cached credentials, and the checks that every authentication method ends with. */
export type Authorizer = {
  /** At once if it is cached. */
  byToken(tokenHash: string): CachedCredential | Promise<CachedCredential | undefined>
  byIdentity(
    connectorId: string,
    identity: string,
  ): CachedCredential | Promise<CachedCredential | undefined>
  /** Reads it from the database: another process may have provisioned it again. */
  reread(ref: Pick<IdentityRef, 'connectorId' | 'identity'>): Promise<CachedCredential | undefined>
  /**
   * Authorizes a verified credential; the device counts as seen. At once, but for the first use of
   * a new credential, which ends the one before, or the chance to activate again.
   * @throws Fault `unknown_credential` (it must activate again, or has a newer one),
   *   `plain_connection`, `locked`; thrown or rejected.
   */
  authorizeCredential(
    known: CachedCredential,
    connector: Connector,
    connection: CredentialUse,
  ): Device | Promise<Device>
  /** Makes the next use of the identity's credential read the database. */
  forget(ref: IdentityRef): void
  /** The same for all identities of a connector. */
  forgetConnector(connectorId: string): void
}

/** Makes a new credential the only one of its identity; see rotation/use.ts. */
export type UseNext = (
  known: CachedCredential,
  connector: Connector,
  connection: CredentialUse,
) => Promise<CachedCredential>

/** @param areRevocationsRead see revocations.ts. */
export function createAuthorizer(
  { database, clock }: ProvisioningOptions,
  sightings: Sightings,
  useNext: UseNext,
  areRevocationsRead: (sinceMs: number) => boolean,
): Authorizer {
  const { tokens, identities, forgetConnector } = createCaches(database, clock, areRevocationsRead)

  function findRefusal(
    { awaits, endsAt, locked }: CachedCredential,
    connector: Connector,
    { encrypted }: CredentialUse,
  ): Fault | undefined {
    if (awaits) return new Fault('unknown_credential', 'It must activate again.')
    if (endsAt !== null && clock.nowUs() >= endsAt) {
      return new Fault('unknown_credential', 'The rotation has ended.')
    }
    if (!encrypted && !connector.devmode) return new Fault('plain_connection')
    return locked ? new Fault('locked') : undefined
  }

  /** The device may have activated again meanwhile, and then has another token. */
  async function noteUsed(known: CachedCredential): Promise<void> {
    const isStill = await noteTokenUsed(database, known, credentialHash(known))
    if (!isStill) throw new Fault('unknown_credential', 'It activated again.')
    known.unused = false
  }

  function toDevice(
    known: CachedCredential,
    connector: Connector,
    { encrypted, ip }: CredentialUse,
  ): Device {
    if (!encrypted && !known.devmode) known.devmode = sightings.notePlainUse(toPlainUse(known))
    if (ip !== undefined) sightings.seen(connector, known.identity, ip)
    return { connector, identity: known.identity, credentialHash: credentialHash(known) }
  }

  return {
    byToken: (tokenHash) => tokens.get(tokenHash),
    byIdentity: (connectorId, identity) => identities.get(`${connectorId}/${identity}`),
    async reread({ connectorId, identity }) {
      const name = `${connectorId}/${identity}`
      identities.evict(name)
      return identities.get(name)
    },
    authorizeCredential(known, connector, connection) {
      const fault = findRefusal(known, connector, connection)
      if (fault !== undefined) throw withDevice(fault, { connector, identity: known.identity })
      if (known.unused) {
        return noteUsed(known).then(() => toDevice(known, connector, connection))
      }
      if (!known.isNext) return toDevice(known, connector, connection)
      return useNext(known, connector, connection).then((now) =>
        toDevice(now, connector, connection),
      )
    },
    forget({ connectorId, identity, credential }) {
      if (credential !== null) tokens.evict(credential)
      identities.evict(`${connectorId}/${identity}`)
    },
    forgetConnector,
  }
}

/** The credentials by the hash of their token, and by the name of their identity. */
function createCaches(
  database: Database,
  clock: Clock,
  areRevocationsRead: (sinceMs: number) => boolean,
) {
  /** When connectors were forgotten, the oldest first. */
  const forgottenAtMs = new Map<string, number>()
  function forgetConnector(connectorId: string): void {
    const nowMs = clock.elapsedMs()
    forgottenAtMs.delete(connectorId)
    forgottenAtMs.set(connectorId, nowMs)
    for (const [oldest, atMs] of forgottenAtMs) {
      if (nowMs - atMs <= provisioningLimits.credentialCachePublishedMs) break
      forgottenAtMs.delete(oldest)
    }
  }
  const tokenReads = createReads(async (hashes: readonly string[]) => {
    const found = await readTokenCredentials(database, hashes)
    return hashes.map((hash) => found.get(hash))
  })
  const identityReads = createReads((names: readonly IdentityName[]) =>
    readCredentials(database, names),
  )
  const kept = {
    entriesMax: limits.credentialCacheMax,
    keepMs: provisioningLimits.credentialCacheMs,
    clock,
  }
  const tokens = createCache<CachedCredential>({
    ...kept,
    // Changes of a token's credential are published. An activation is not: it changes credentials
    // of its identity that were refused until then, so that `identities` is read again sooner.
    published: {
      keepMs: provisioningLimits.credentialCachePublishedMs,
      areRead: areRevocationsRead,
      changedAtMs: ({ connectorId }) => forgottenAtMs.get(connectorId) ?? Number.NEGATIVE_INFINITY,
    },
    load: async (tokenHash) => {
      const known = toCachedCredential(await tokenReads.add(tokenHash))
      return known?.hash === tokenHash ? known : (known?.next ?? undefined)
    },
  })
  const identities = createCache<CachedCredential>({
    ...kept,
    // No identity has a NUL, and the database would refuse all of the statement for it.
    load: async (name) =>
      name.includes('\0')
        ? undefined
        : toCachedCredential(await identityReads.add(splitName(name))),
  })
  return { tokens, identities, forgetConnector }
}

/**
 * Reads that arrive together go in one statement: after a start, and in a fleet that is larger
 * than the cache, each request brings one.
 */
function createReads<Key>(
  read: (keys: readonly Key[]) => Promise<readonly (CredentialRow | undefined)[]>,
): Batcher<Key, CredentialRow | undefined> {
  return createBatcher({
    batchMax: credentialReadsBatchMax,
    waitingMax: credentialReadsWaitingMax,
    run: async (keys) => (await read(keys)).map((value) => ({ value })),
  })
}

/** A connector's id holds no slash. */
function splitName(name: string): IdentityName {
  const at = name.indexOf('/')
  return { connectorId: name.slice(0, at), identity: name.slice(at + 1) }
}

function toPlainUse({ connectorId, identity, hash }: CachedCredential) {
  return { connectorId, identity, secretHash: hash ?? '' }
}
