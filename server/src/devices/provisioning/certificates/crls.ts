import { X509Certificate } from 'node:crypto'
import {
  component,
  Fault,
  invalidField,
  limits,
  Microseconds,
  Nullable,
  newId,
  OptionalMicroseconds,
  type StaticResult,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { createCache } from '../credentials/cache.ts'
import {
  type Revocations,
  type WrittenRevocations,
  wholeConnector,
} from '../credentials/revocations.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import { lockConnector } from '../store/connectors.ts'
import {
  type CrlHead,
  type CrlRow,
  deleteCrl,
  readCrl,
  readCrlHead,
  upsertCrl,
} from '../store/crl.ts'
import { readSerial } from './certificate.ts'
import { isSignedBy } from './client-certificate.ts'
import { type Crl, checkCrl, readSerials } from './crl.ts'
import { formatPem } from './pem.ts'

/** Revocation lists that a process caches, of the connectors whose devices came last. */
const crlCacheMax = 50

/** A connector's revocation list as operators see it. */
export const crlSchema = component(
  'RevocationList',
  {
    crlPem: Type.String({ description: 'PEM.', wire: 'crl' }),
    number: Nullable(Type.String()),
    thisUpdate: Microseconds(),
    nextUpdate: OptionalMicroseconds('The time at which the next one is due, in microseconds.'),
    revoked: Type.Integer({ description: 'The number of certificates in the list.' }),
    stale: Type.Boolean({ description: 'True if a newer one is due.' }),
  },
  { description: 'The certificate revocation list of a client CA.' },
)
export type CrlRecord = StaticResult<typeof crlSchema>

/** A list as a process caches it. */
export type RevokedSerials = {
  /** Another one for each list; empty where there is none. */
  readonly generation: string
  readonly has: (certificate: X509Certificate) => boolean
}

/**
 * The revocation lists of connectors' client CAs. A list that is put or removed is in force when
 * that resolves, in other processes after `revocationPollMs`; what is open with a
 * certificate that it names ends then. Operators' calls @throw Fault `not_found`.
 */
export type Crls = {
  /**
   * @param bytes PEM or DER.
   * @throws Fault `crl_refused`, `crl_outdated`, `too_large`, `invalid_argument` (no client CA).
   */
  put(businessId: string, connectorId: string, bytes: Buffer): Promise<CrlRecord>
  get(businessId: string, connectorId: string): Promise<CrlRecord>
  remove(businessId: string, connectorId: string): Promise<void>
  /** For the device API: a list at once if it is in the cache. */
  find(connectorId: string): RevokedSerials | Promise<RevokedSerials>
  /** Makes the next use read the database. */
  forget(connectorId: string): void
}

const usPerMs = 1_000
const none: RevokedSerials = { generation: '', has: () => false }

export function createCrls(
  options: ProvisioningOptions,
  connectors: Pick<Connectors, 'get'>,
  revocations: Pick<Revocations, 'writeIn' | 'publish'>,
): Crls {
  const { database, changes, clock } = options
  const kept = createCache<RevokedSerials>({
    entriesMax: crlCacheMax,
    keepMs: provisioningLimits.credentialCacheMs,
    clock,
    load: async (connectorId) => {
      const row = await readCrl(database, connectorId)
      return row === undefined ? none : makeRevoked(row.generation, row.ca, readSerials(row.der))
    },
  })

  async function get(connectorId: string): Promise<CrlRecord> {
    const row = await readCrl(database, connectorId)
    if (row === undefined) throw noList()
    return toRecord(row, clock.nowUs())
  }

  return {
    put: changes.publishing('connectors', async (businessId, connectorId, bytes) => {
      const { id, pki } = await connectors.get(businessId, connectorId)
      if (pki.caPem === null) {
        throw invalidField(
          'provisioning.pki.ca',
          'is needed: a revocation list is that of a client CA',
        )
      }
      const crl = checkCrl(bytes, pki.caPem, clock.nowMs())
      revocations.publish(await store({ ...options, revocations }, businessId, id, pki.caPem, crl))
      return get(id)
    }),
    async get(businessId, connectorId) {
      const { id } = await connectors.get(businessId, connectorId)
      return get(id)
    },
    remove: changes.publishing('connectors', async (businessId, connectorId) => {
      const { id } = await connectors.get(businessId, connectorId)
      const written = await database.transaction(async (transaction) => {
        if (!(await deleteCrl(transaction, id))) throw noList()
        return revocations.writeIn(transaction, id, wholeConnector)
      })
      revocations.publish(written)
    }),
    find(connectorId) {
      const found = kept.get(connectorId)
      return found instanceof Promise ? found.then((list) => list ?? none) : found
    },
    forget: (connectorId) => kept.evict(connectorId),
  }
}

type StoreOptions = Pick<ProvisioningOptions, 'database' | 'clock' | 'random'> & {
  readonly revocations: Pick<Revocations, 'writeIn'>
}

/**
 * Puts a list that was checked in force, while the connector trusts the authority still.
 * @returns the revocations to publish after the commit.
 */
async function store(
  { database, clock, random, revocations }: StoreOptions,
  businessId: string,
  connectorId: string,
  caPem: string,
  crl: Crl,
): Promise<WrittenRevocations | undefined> {
  return database.transaction(async (transaction) => {
    const connector = await lockConnector(transaction, businessId, connectorId)
    if (connector?.pki.caPem !== caPem) {
      const retry = { retryAfterS: limits.retryAfterS }
      throw new Fault('overloaded', 'The client CA changed meanwhile.', retry)
    }
    const before = await readCrlHead(transaction, connectorId)
    if (before !== undefined) refuseOlder(crl, caPem, before)
    await upsertCrl(transaction, connectorId, {
      generation: newId(random),
      ca: caPem,
      der: crl.der,
      number: crl.number === null ? null : String(crl.number),
      this_update: crl.thisUpdate * usPerMs,
      next_update: crl.nextUpdate === null ? null : crl.nextUpdate * usPerMs,
      revoked: crl.serials.size,
      put_at: clock.nowUs(),
    })
    return revocations.writeIn(transaction, connectorId, wholeConnector)
  })
}

function toRecord(row: CrlRow, nowUs: number): CrlRecord {
  return {
    crlPem: formatPem('X509 CRL', row.der),
    number: row.number,
    thisUpdate: row.this_update,
    nextUpdate: row.next_update,
    revoked: row.revoked,
    stale: row.next_update !== null && row.next_update <= nowUs,
  }
}

/**
 * A serial belongs to its authority: that of another one is ignored, whatever the connector trusts.
 */
function makeRevoked(
  generation: string,
  caPem: string,
  serials: ReadonlySet<string>,
): RevokedSerials {
  const ca = new X509Certificate(caPem)
  return {
    generation,
    has: (certificate) => serials.has(readSerial(certificate)) && isSignedBy(certificate, ca),
  }
}

/**
 * By its number, and by its time where one of the two has none. A list of another authority is
 * neither older nor newer.
 */
function refuseOlder(crl: Crl, caPem: string, before: CrlHead): void {
  if (!isSameAuthority(caPem, before.ca)) return
  const numbered = crl.number !== null && before.number !== null
  const older = crl.thisUpdate * usPerMs < before.this_update
  if (numbered && crl.number < BigInt(before.number)) {
    throw outdated(`its number is ${crl.number}, and ${before.number} is in force`)
  }
  if (older) {
    const date = new Date(before.this_update / usPerMs).toISOString()
    throw outdated(`the one in force was made later, at ${date}`)
  }
}

/** Also where its certificate was renewed. */
function isSameAuthority(one: string, other: string): boolean {
  const [a, b] = [new X509Certificate(one), new X509Certificate(other)]
  return a.subject === b.subject && a.publicKey.equals(b.publicKey)
}

function outdated(why: string): Fault {
  return new Fault('crl_outdated', `The revocation list is older than the one in force: ${why}.`)
}

function noList(): Fault {
  return new Fault('not_found', 'The connector has no revocation list.')
}
