import type { Transaction } from '../../../foundation/database/index.ts'
import { Fault, PollLoop } from '../../../foundation/kernel/index.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import {
  deleteRevocations,
  insertRevocations,
  listRevocations,
  type Revocation,
  type RevocationCode,
  readRevocationHead,
} from '../store/revocations.ts'
import type { IdentityRef } from './authorizer.ts'
import {
  createRevocationListeners,
  type OnRevoked,
  type RevocationListeners,
} from './revocation-listeners.ts'

/** The age of the last poll up to which cached credentials are used for longer. */
const revocationReadMs = 5_000

const { revocationKeptMs } = provisioningLimits

/** The connector's rules have changed: each of its open connections is checked again. */
export const wholeConnector: readonly Revocation[] = [
  { identity: null, credential: null, code: null },
]

/** Revocations that are written, to be published once they are committed. */
export type WrittenRevocations = {
  readonly connectorId: string
  readonly firstSeq: number
  readonly revocations: readonly Revocation[]
}

/** The caches to clear when a credential or a connector has changed. */
export type CredentialCaches = {
  forget(whose: IdentityRef): void
  forgetConnector(connectorId: string): void
}

/**
 * Publishes revoked credentials to open connections: at once within a process, by a table between
 * processes. A row is written in the transaction of its change.
 */
export type Revocations = {
  /** The last step of the transaction that revokes; undefined if nothing is revoked. */
  writeIn(
    transaction: Transaction,
    connectorId: string,
    revocations: readonly Revocation[],
  ): Promise<WrittenRevocations | undefined>
  /** To be called after the commit. */
  publish(written: WrittenRevocations | undefined): void
  readonly onRevoked: OnRevoked
  /**
   * Returns whether those that other processes committed since then were applied, but for the last
   * `revocationReadMs`.
   * @param sinceMs a time of `clock.elapsedMs`.
   */
  areRead(sinceMs: number): boolean
  /**
   * Polls after a hint of another process, else every `revocationPollMs`, from when this
   * resolves; to be called once.
   */
  startPolling(): Promise<void>
  /** Deletes rows that every process has read long ago. */
  sweep(): Promise<void>
  /** Stops polling. */
  close(): Promise<void>
}

export function createRevocations(
  { database, clock, logger }: Pick<ProvisioningOptions, 'database' | 'clock' | 'logger'>,
  caches: CredentialCaches,
): Revocations {
  const listeners = createRevocationListeners(logger)
  const apply = (connectorId: string, revocation: Revocation) =>
    applyTo(caches, listeners, connectorId, revocation)
  /** Sequence numbers of own revocations that were published and will be polled later. */
  const published = new Set<number>()
  /** The last sequence number that was polled; undefined before polling starts. */
  let last: number | undefined
  /** When the first one was readable that is polled. */
  let pollsSinceMs = Number.POSITIVE_INFINITY
  /** When the last poll began that read all. */
  let readAtMs = Number.NEGATIVE_INFINITY
  const loop = new PollLoop({
    async look() {
      let beganAtMs: number
      do {
        beganAtMs = clock.elapsedMs()
      } while ((await poll(last ?? 0)) === provisioningLimits.revocationBatchMax)
      readAtMs = beganAtMs
    },
    failed: (error) => logger.warn({ err: error }, 'polling revocations failed; retrying'),
    pollMs: provisioningLimits.revocationPollMs,
    pauseMs: 0,
  })

  async function poll(after: number): Promise<number> {
    const rows = await listRevocations(database, after, provisioningLimits.revocationBatchMax)
    for (const { seq, connector_id, remaining_hash, ...row } of rows) {
      last = seq
      const revocation = { ...row, spares: remaining_hash }
      if (!published.delete(seq)) apply(connector_id, revocation)
    }
    return rows.length
  }

  return {
    async writeIn(transaction, connectorId, revocations) {
      if (revocations.length === 0) return undefined
      const nowUs = clock.nowUs()
      const firstSeq = await insertRevocations(transaction, connectorId, nowUs, revocations)
      return { connectorId, firstSeq, revocations }
    },
    publish(written) {
      for (const [at, revocation] of (written?.revocations ?? []).entries()) {
        const seq = (written?.firstSeq ?? 0) + at
        if (last !== undefined && seq <= last) continue
        if (last !== undefined) published.add(seq)
        apply(written?.connectorId ?? '', revocation)
      }
      if (written !== undefined) database.hints.notify('revocations', written.connectorId)
    },
    onRevoked: listeners.onRevoked,
    areRead: (sinceMs) =>
      sinceMs >= pollsSinceMs && clock.elapsedMs() - readAtMs < revocationReadMs,
    async startPolling() {
      last = await readRevocationHead(database)
      pollsSinceMs = clock.elapsedMs()
      database.hints.listen('revocations', () => loop.notify())
      loop.startLater()
    },
    async close() {
      await loop.stop()
      await listeners.close()
    },
    sweep: () => deleteRevocations(database, clock.nowUs() - revocationKeptMs * 1_000),
  }
}

function applyTo(
  caches: CredentialCaches,
  listeners: RevocationListeners,
  connectorId: string,
  { identity, credential, code, spares = null }: Revocation,
): void {
  if (identity === null) {
    caches.forgetConnector(connectorId)
    listeners.recheck(connectorId)
    return
  }
  caches.forget({ connectorId, identity, credential })
  if (spares !== null) caches.forget({ connectorId, identity, credential: spares })
  if (code === null) return
  listeners.refuse({ connectorId, identity, spares }, new Fault(code, details[code]))
}

const details: Readonly<Record<RevocationCode, string>> = {
  locked: 'The device was locked while it was connected.',
  unknown_credential: 'The credential was withdrawn while the device was connected.',
  certificate_mismatch: 'The device was given another certificate while it was connected.',
  credential_replaced: 'The device used a newer credential while it was connected.',
}
