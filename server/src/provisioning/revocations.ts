import type { Transaction } from '../database/index.ts'
import { Fault, limits } from '../kernel/index.ts'
import type { Whose } from './admission.ts'
import type { Device } from './credentials.ts'
import type { ProvisioningOptions } from './needs.ts'
import {
  deleteRevocations,
  insertRevocations,
  listRevocations,
  readRevocationHead,
} from './store/revocations.ts'

/** An identity of which what is remembered is wrong, and that often may not go on. */
export type Withdrawal = {
  readonly identity: string
  readonly tokenHash: string | null
  /** What the device is refused with from now on; null: it may go on, it was unlocked. */
  readonly code: 'locked' | 'unknown_credential' | 'certificate_mismatch' | null
}

/** Withdrawals that are written, to be told once they are committed. */
export type Written = {
  readonly connectorId: string
  readonly firstSeq: number
  readonly withdrawals: readonly Withdrawal[]
}

/** Ends what a device has open, as soon as it may not go on. */
export type OnRevoked = (device: Device, listener: (fault: Fault) => void) => () => void

/**
 * From those that withdraw credentials to those that hold connections: at once within a process,
 * by a table between processes. A row is written with the very change that it tells of.
 */
export type Revocations = {
  /** The last step of the transaction that withdraws; undefined where nothing is withdrawn. */
  writeIn(
    transaction: Transaction,
    connectorId: string,
    withdrawals: readonly Withdrawal[],
  ): Promise<Written | undefined>
  /** To be called after the commit. */
  tell(written: Written | undefined): void
  /** Tells, with the refusal, whatever a device has open. @returns what ends the watch. */
  readonly onRevoked: OnRevoked
  /** Looks every `limits.revocationPollMs` from when this resolves; to be called once. */
  follow(): Promise<void>
  /** Removes what every process has read long ago. */
  sweep(): Promise<void>
  /** Looks no more. */
  close(): Promise<void>
}

export function createRevocations(
  { database, clock, logger }: Pick<ProvisioningOptions, 'database' | 'clock' | 'logger'>,
  forget: (whose: Whose) => void,
): Revocations {
  const listeners = new Map<string, Set<(fault: Fault) => void>>()
  /** Own ones that were told and come by in the table later. */
  const told = new Set<number>()
  /** The last one that was read; undefined where nobody follows. */
  let last: number | undefined
  let following: Repeated | undefined

  function announce(connectorId: string, { identity, tokenHash, code }: Withdrawal): void {
    forget({ connectorId, identity, tokenHash })
    if (code === null) return
    for (const listener of [...(listeners.get(`${connectorId}/${identity}`) ?? [])]) {
      listener(new Fault(code, details[code]))
    }
  }

  async function look(after: number): Promise<number> {
    const rows = await listRevocations(database, after, limits.revocationBatchMax)
    for (const { seq, connector_id, identity, token_hash, code } of rows) {
      last = seq
      if (!told.delete(seq)) announce(connector_id, { identity, tokenHash: token_hash, code })
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
    tell(written) {
      for (const [at, withdrawal] of (written?.withdrawals ?? []).entries()) {
        const seq = (written?.firstSeq ?? 0) + at
        if (last !== undefined && seq <= last) continue
        if (last !== undefined) told.add(seq)
        announce(written?.connectorId ?? '', withdrawal)
      }
    },
    onRevoked({ connector, identity }, listener) {
      const key = `${connector.id}/${identity}`
      const those = listeners.get(key) ?? new Set()
      listeners.set(key, those.add(listener))
      return () => {
        those.delete(listener)
        if (those.size === 0 && listeners.get(key) === those) listeners.delete(key)
      }
    },
    async follow() {
      last = await readRevocationHead(database)
      following = repeat(limits.revocationPollMs, async () => {
        try {
          while ((await look(last ?? 0)) === limits.revocationBatchMax);
        } catch (error) {
          logger.warn({ err: error }, 'what other processes revoked could not be read yet')
        }
      })
    },
    close: async () => following?.stop(),
    sweep: () => deleteRevocations(database, clock.nowUs() - limits.revocationKeptMs * 1_000),
  }
}

const details = {
  locked: 'The device was locked while it was connected.',
  unknown_credential: 'The credential was withdrawn while the device was connected.',
  certificate_mismatch: 'The device was given another certificate while it was connected.',
}

type Repeated = { stop(): Promise<void> }

/** One step after the other, with a pause between them. */
function repeat(pauseMs: number, step: () => Promise<void>): Repeated {
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const arm = () => {
    timer = setTimeout(() => {
      running = step().then(() => {
        if (!stopped) arm()
      })
    }, pauseMs).unref()
  }
  arm()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      return running
    },
  }
}
