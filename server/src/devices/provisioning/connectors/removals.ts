import { setImmediate } from 'node:timers/promises'
import { Fault, PollLoop } from '../../../foundation/kernel/index.ts'
import { type Revocations, wholeConnector } from '../credentials/revocations.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import { lockConnector } from '../store/connectors.ts'
import {
  beginRemoval,
  clearSome,
  endContents,
  endRemoval,
  listRemovals,
  lockPopulation,
  lockRemoval,
  type Removal,
} from '../store/removals.ts'
import { unknownConnector } from './changes.ts'
import type { Connectors } from './connectors.ts'

/** The interval at which remaining rows of deleted connectors are removed. */
const connectorRemovalEveryMs = 1_000
/** Deleted connectors of one round. */
const connectorRemovalsMax = 100

/*
 * The end of a connector.
 *
 * A short transaction ends it: its settings, its authority and its count are deleted, and the open
 * connections of its devices are authorized again, and so closed. Its identities and values may be
 * millions of rows, so serving processes delete them in bounded batches; until that is done, and
 * until no process has the connector in a cache, the label of its host stays in use. Then the label
 * is released: it is kept for the business for a while.
 */

/** Removes a connector's rows of another module; idempotent, since it is retried. */
export type RemovalStep = (removal: Removal) => Promise<void>

export type Removals = {
  /**
   * Deletes a connector; it cannot be reached once this resolves.
   * @returns how many identities it had.
   * @throws Fault `not_found`; `connector_in_use` if it has identities and `cascade` is not set.
   */
  remove(
    businessId: string,
    connectorId: string,
    input?: { readonly cascade?: boolean; readonly ip?: string },
  ): Promise<{ readonly identities: number }>
  /** To be called once by each module that stores rows of connectors. */
  onRemove(step: RemovalStep): void
  /** Clears away what is left of deleted connectors, as far as their time has come. */
  clear(): Promise<void>
  /** Clears away every `connectorRemovalEveryMs` from now on; to be called once. */
  startPolling(): void
  close(): Promise<void>
}

type RemovalsOptions = ProvisioningOptions & {
  readonly connectors: Pick<Connectors, 'forget'>
  readonly revocations: Pick<Revocations, 'writeIn' | 'publish'>
}

const usPerMs = 1_000

export function createRemovals(options: RemovalsOptions): Removals {
  const { database, logger } = options
  const steps: RemovalStep[] = []
  const loop = new PollLoop({
    look: clear,
    failed: (error) => logger.warn({ err: error }, 'reading deleted connectors failed; retrying'),
    pollMs: connectorRemovalEveryMs,
  })

  async function clearOne(removal: Removal): Promise<void> {
    while (!loop.stopped && (await clearBatch(options, removal)) > 0) await setImmediate()
    if (loop.stopped) return
    for (const step of steps) await step(removal)
    await finish(options, removal)
  }

  async function clear(): Promise<void> {
    for (const removal of await listRemovals(database, connectorRemovalsMax)) {
      try {
        await clearOne(removal)
      } catch (error) {
        const { connectorId } = removal
        logger.warn({ err: error, connectorId }, 'clearing a deleted connector failed; retrying')
      }
    }
  }

  return {
    remove: options.changes.publishing('connectors', (businessId, connectorId, input = {}) =>
      remove(options, businessId, connectorId, input),
    ),
    onRemove: (step) => steps.push(step),
    clear,
    startPolling: () => loop.startLater(),
    close: () => loop.stop(),
  }
}

async function remove(
  { database, activity, connectors, revocations, clock, logger }: RemovalsOptions,
  businessId: string,
  connectorId: string,
  { cascade = false, ip = '' }: { readonly cascade?: boolean; readonly ip?: string },
): Promise<{ identities: number }> {
  const { identities, written } = await database.transaction(async (transaction) => {
    const known = await lockConnector(transaction, businessId, connectorId)
    if (known === undefined) throw unknownConnector()
    const identities = await lockPopulation(transaction, connectorId)
    if (identities > 0 && !cascade) throw inUse(identities)
    const removedAt = clock.nowUs()
    await beginRemoval(transaction, { connectorId, businessId, identities, removedAt })
    return {
      identities,
      written: await revocations.writeIn(transaction, connectorId, wholeConnector),
    }
  })
  connectors.forget(connectorId)
  revocations.publish(written)
  logger.info({ businessId, connectorId, identities }, 'a connector was deleted')
  activity.connectors.write({
    businessId,
    connectorId,
    kind: 'log',
    severity: 'warning',
    identity: null,
    ip,
    protocol: 'api',
    message: `The connector was deleted with its ${identities} identities.`,
  })
  return { identities }
}

function inUse(identities: number): Fault {
  const noun = identities === 1 ? 'identity' : 'identities'
  return new Fault(
    'connector_in_use',
    `The connector has ${identities} ${noun}, which go with it: set cascade to delete them.`,
  )
}

/** @returns how many rows went; 0 where nothing is left, or another process is at it. */
function clearBatch({ database }: RemovalsOptions, { connectorId }: Removal): Promise<number> {
  return database.transaction(async (transaction) => {
    if (!(await lockRemoval(transaction, connectorId))) return 0
    return clearSome(transaction, connectorId, provisioningLimits.connectorRemovalBatchMax)
  })
}

/**
 * The last step, once no process can have the connector in a cache: what was under way when it was
 * deleted has ended, and has left nothing behind.
 */
async function finish(
  { database, hosts, clock }: RemovalsOptions,
  { connectorId, businessId, removedAt }: Removal,
): Promise<void> {
  const settled = clock.nowUs() >= removedAt + provisioningLimits.connectorRemovalSettleMs * usPerMs
  const ended = await database.transaction(async (transaction) => {
    if (!(await lockRemoval(transaction, connectorId))) return false
    await endContents(transaction, connectorId, clock.nowUs())
    if (!settled || (await clearSome(transaction, connectorId, 1)) > 0) return false
    await hosts.release(transaction, { label: connectorId, kind: 'connector', businessId })
    await endRemoval(transaction, connectorId)
    return true
  })
  if (ended) hosts.forget(connectorId)
}
