import { Fault, limits } from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import { countIn } from '../connectors/population.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { defaultUntil, listRevocations } from '../identities/whitelist.ts'
import type { ProvisioningOptions } from '../options.ts'
import { type CertificateEnd, keepCertificateEnds } from '../store/certificates.ts'
import {
  previewIdentities,
  upsertIdentities,
  type WhitelistedRow,
  type Whitelisting,
} from '../store/whitelist.ts'
import type { Batch } from './batch.ts'
import { findFitting } from './capacity.ts'
import type { GoodRow } from './row.ts'

/** The dependencies of writing rows. */
export type WriteBatchOptions = Pick<
  ProvisioningOptions,
  'database' | 'changes' | 'clock' | 'quotas'
> &
  Pick<Credentials, 'forget' | 'revocations'>

/** The settings for writing the rows of a file. */
export type BatchWriting = {
  /** The deadline of every row; undefined: not given. Null: no deadline. */
  readonly activateUntil: number | null | undefined
  /** Then nothing is written, and the answer is what would be. */
  readonly dryRun: boolean
  /** The number of rows before these that would be new in a dry run: they take places, too. */
  readonly previewed: number
}

/** The results of a batch. */
export type WrittenBatch = {
  /** True for each changed identity that is new. */
  readonly changed: ReadonlyMap<string, boolean>
  /** The identities for which there is no room, and why. */
  readonly leftOut: ReadonlySet<string>
  readonly full: Fault
}

/**
 * Writes the rows of a batch for which there is room, in one transaction, durable when this
 * resolves. If others fill it meanwhile, it looks again.
 */
export async function writeBatch(
  options: WriteBatchOptions,
  connector: Connector,
  { good }: Batch,
  writing: BatchWriting,
): Promise<WrittenBatch> {
  for (let tries = 1; ; tries += 1) {
    const isLast = tries === limits.transactionTriesMax
    const less = isLast ? connector.identitiesMax : writing.previewed
    const { rows, ...others } = await findFitting(options, connector, good, less)
    try {
      return { changed: await writeRows(options, connector, rows, writing), ...others }
    } catch (error) {
      const isFull = error instanceof Fault && fullCodes.has(error.code)
      if (!isFull || isLast) throw error
    }
  }
}

const fullCodes: ReadonlySet<string> = new Set(['connector_full', 'business_quota_full'])

/** @throws Fault `connector_full`, `business_quota_full`. */
async function writeRows(
  { database, changes, clock, forget, revocations, quotas }: WriteBatchOptions,
  connector: Connector,
  good: readonly GoodRow[],
  { activateUntil, dryRun }: BatchWriting,
): Promise<ReadonlyMap<string, boolean>> {
  const write = dryRun ? previewIdentities : upsertIdentities
  const { rows, written } = await database.transaction(async (transaction) => {
    const rows: WhitelistedRow[] = []
    for (const group of alike(good)) {
      const nowUs = clock.nowUs()
      const said = { ...toWhitelisting(group), activateUntil, defaultUntil: defaultUntil(nowUs) }
      for (const row of await write(transaction, connector.id, nowUs, said)) rows.push(row)
    }
    if (!dryRun) await keepCertificateEnds(transaction, connector.id, listEnds(good))
    const added = dryRun ? 0 : rows.filter((row) => row.added).length
    await countIn(transaction, connector, added, quotas)
    const withdrawals = dryRun ? [] : listRevocations(rows, {})
    if (!dryRun && rows.length > 0) changes.publish(transaction, connector.businessId, 'devices')
    return { rows, written: await revocations.writeIn(transaction, connector.id, withdrawals) }
  })
  for (const { identity, added, credential } of rows) {
    if (!added) forget({ connectorId: connector.id, identity, credential })
  }
  revocations.publish(written)
  return new Map(rows.map(({ identity, added }) => [identity, added]))
}

function listEnds(rows: readonly GoodRow[]): readonly CertificateEnd[] {
  return rows.flatMap(({ identity, certificate }) =>
    certificate === undefined ? [] : [{ identity, ...certificate }],
  )
}

/** Rows with values for the same columns: one statement writes them. */
function alike(good: readonly GoodRow[]): readonly (readonly GoodRow[])[] {
  const sorted = good.toSorted((one, other) => (one.identity < other.identity ? -1 : 1))
  const groups = Map.groupBy(
    sorted,
    ({ tags, certificate }) => `${tags === undefined} ${certificate === undefined}`,
  )
  return [...groups.values()]
}

function toWhitelisting(
  rows: readonly GoodRow[],
): Pick<Whitelisting, 'identities' | 'tags' | 'certificates'> {
  const [first] = rows
  return {
    identities: rows.map(({ identity }) => identity),
    tags: first?.tags && rows.map(({ tags = [] }) => tags),
    certificates:
      first?.certificate === undefined
        ? undefined
        : rows.map(({ certificate }) => certificate?.fingerprint ?? ''),
  }
}
