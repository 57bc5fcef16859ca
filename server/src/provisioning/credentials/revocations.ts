import type { Transaction } from '../../database/index.ts'
import { Fault, limits } from '../../kernel/index.ts'
import type { ProvisioningOptions } from '../options.ts'
import { type Repeated, repeat } from '../repeat.ts'
import {
  deleteRevocations,
  insertRevocations,
  listRevocations,
  type Revocation,
  type RevocationCode,
  readRevocationHead,
} from '../store/revocations.ts'
import type { IdentityRef } from './authorizer.ts'
import { createRevocationListeners, type OnRevoked } from './revocation-listeners.ts'

/** What the connector lets in has changed: all that is open there is judged anew. */
export const wholeConnector: readonly Revocation[] = [
  { identity: null, tokenHash: null, code: null },
]

/** Withdrawals that are written, to be told once they are committed. */
export type WrittenRevocations = {
  readonly connectorId: string
  readonly firstSeq: number
  readonly withdrawals: readonly Revocation[]
}

/** What is remembered, and to be forgotten when it has changed. */
export type CredentialCaches = {
  forget(whose: IdentityRef): void
  forgetConnector(connectorId: string): void
}

/**
 * From those that withdraw credentials to those that hold connections: at once within a process,
 * by a table between processes. A row is written with the very change that it tells of.
 */
export type Revocations = {
  /** The last step of the transaction that withdraws; undefined where nothing is withdrawn. */
  writeIn(
    transaction: Transaction,
    connectorId: string,
    withdrawals: readonly Revocation[],
  ): Promise<WrittenRevocations | undefined>
  /** To be called after the commit. */
  publish(written: WrittenRevocations | undefined): void
  /** Tells, with the refusal, whatever a device has open. @returns what ends the watch. */
  readonly onRevoked: OnRevoked
  /** Looks every `limits.revocationPollMs` from when this resolves; to be called once. */
  startPolling(): Promise<void>
  /** Removes what every process has read long ago. */
  sweep(): Promise<void>
  /** Looks no more. */
  close(): Promise<void>
}

export function createRevocations(
  { database, clock, logger }: Pick<ProvisioningOptions, 'database' | 'clock' | 'logger'>,
  memories: CredentialCaches,
): Revocations {
  const watches = createRevocationListeners(logger)
  /** Own ones that were told and come by in the table later. */
  const published = new Set<number>()
  /** The last one that was read; undefined where nobody follows. */
  let last: number | undefined
  let following: Repeated | undefined

  function apply(connectorId: string, withdrawal: Revocation): void {
    const { identity, tokenHash, code, spares = null } = withdrawal
    if (identity === null) {
      memories.forgetConnector(connectorId)
      watches.recheck(connectorId)
      return
    }
    memories.forget({ connectorId, identity, tokenHash })
    if (spares !== null) memories.forget({ connectorId, identity, tokenHash: spares })
    if (code === null) return
    watches.refuse({ connectorId, identity, spares }, new Fault(code, details[code]))
  }

  async function poll(after: number): Promise<number> {
    const rows = await listRevocations(database, after, limits.revocationBatchMax)
    for (const { seq, connector_id, token_hash, spared, ...row } of rows) {
      last = seq
      const withdrawal = { ...row, tokenHash: token_hash, spares: spared }
      if (!published.delete(seq)) apply(connector_id, withdrawal)
    }
    return rows.length
  }

  return {
    async writeIn(transaction, connectorId, withdrawals) {
      if (withdrawals.length === 0) return undefined
      const nowUs = clock.nowUs()
      const firstSeq = await insertRevocations(transaction, connectorId, nowUs, withdrawals)
      return { connectorId, firstSeq, withdrawals }
    },
    publish(written) {
      for (const [at, withdrawal] of (written?.withdrawals ?? []).entries()) {
        const seq = (written?.firstSeq ?? 0) + at
        if (last !== undefined && seq <= last) continue
        if (last !== undefined) published.add(seq)
        apply(written?.connectorId ?? '', withdrawal)
      }
    },
    onRevoked: watches.onRevoked,
    async startPolling() {
      last = await readRevocationHead(database)
      following = repeat(limits.revocationPollMs, async () => {
        try {
          while ((await poll(last ?? 0)) === limits.revocationBatchMax);
        } catch (error) {
          logger.warn({ err: error }, 'what other processes revoked could not be read yet')
        }
      })
    },
    async close() {
      await following?.stop()
      await watches.close()
    },
    sweep: () => deleteRevocations(database, clock.nowUs() - limits.revocationKeptMs * 1_000),
  }
}

const details: Readonly<Record<RevocationCode, string>> = {
  locked: 'The device was locked while it was connected.',
  unknown_credential: 'The credential was withdrawn while the device was connected.',
  certificate_mismatch: 'The device was given another certificate while it was connected.',
  credential_replaced: 'The device used a newer credential while it was connected.',
}
