import type { Database, Transaction } from '../../database/index.ts'
import type { EventLog } from '../../eventlog/index.ts'
import { type Clock, Fault, limits, newId, type Random } from '../../kernel/index.ts'
import type { ScriptValue } from '../runtime/value.ts'
import { encodeValue } from '../runtime/value-json.ts'
import { sizeProblem } from '../runtime/value-size.ts'
import type { Deliveries, HandlerCall } from '../scripting.ts'
import {
  deleteDead,
  deleteOfSolution,
  deleteOldDead,
  readDead,
  readDeadPage,
  requeueDead,
  trimDead,
} from '../store/dead-deliveries.ts'
import { countWaiting, hasBacklogOf, insertDeliveries } from '../store/deliveries.ts'
import { deadLetterOverflow } from './backlog.ts'
import type { DeadDelivery, DeadKey, DeadPage, NewDelivery } from './delivery.ts'
import { leaseOf } from './delivery-worker.ts'
import {
  createInlineDelivery,
  type InlineDelivery,
  type InlineDeliveryNeeds,
} from './inline-delivery.ts'
import { countParts, deliveriesStage } from './settle.ts'

export type DeadDeliveriesQuery = {
  readonly before?: DeadKey | undefined
  /** At most `limits.pageMax`. */
  readonly limit?: number | undefined
}

/** Durable calls, and what became of those that failed for good. */
export type DeliveryQueue = Deliveries & {
  /** Kept by the caller's transaction, for the caller to run after its COMMIT. */
  addInlineIn(transaction: Transaction, call: HandlerCall): Promise<InlineDelivery>
  /** After the COMMIT of an `addIn`: there is something to run. */
  wake(): void
  /** Dead ones, newest first. */
  list(businessId: string, solutionId: string, asked?: DeadDeliveriesQuery): Promise<DeadPage>
  /** @throws Fault not_found */
  get(businessId: string, solutionId: string, id: string): Promise<DeadDelivery>
  /**
   * Lets a dead one run again, behind all that wait. @throws Fault not_found, invalid_argument
   * @param argument in place of the one before, where that was what was wrong.
   */
  retry(
    businessId: string,
    solutionId: string,
    id: string,
    argument?: { readonly value: ScriptValue },
  ): Promise<void>
  /** Lets all of them run again, in the order in which they failed. @returns how many. */
  retryAll(businessId: string, solutionId: string): Promise<number>
  /** @throws Fault not_found */
  discard(businessId: string, solutionId: string, id: string): Promise<void>
  /** @returns how many. */
  discardAll(businessId: string, solutionId: string): Promise<number>
  /** All of a solution that is removed; those that waited count as failed. */
  removeIn(transaction: Transaction, businessId: string, solutionId: string): Promise<void>
  /** Removes dead ones that are too old or too many. */
  sweep(): Promise<void>
}

export type DeliveriesNeeds = InlineDeliveryNeeds & {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'countStage' | 'partOf' | 'ledger'>
  readonly clock: Clock
  readonly random: Random
  readonly owner: string
  /** There is something to run, in this process. */
  readonly wake: () => void
}

const usPerHour = 3_600_000_000
const newest: DeadKey = { failedAt: Number.MAX_SAFE_INTEGER, id: '' }

export function createDeliveries(needs: DeliveriesNeeds): DeliveryQueue {
  const { database, eventlog, clock, wake } = needs
  eventlog.ledger.addStage({ stage: deliveriesStage, pending: countWaiting })

  async function addIn(transaction: Transaction, calls: readonly HandlerCall[]): Promise<void> {
    if (calls.length === 0) return
    const all = calls.map((call) => toDelivery(needs, call))
    const added = await deadLetterOverflow(transaction, all)
    await insertDeliveries(transaction, added, leaseOf(needs.owner, clock.nowUs()))
    const failed = added.filter(({ state }) => state === 'dead')
    await countParts(needs, transaction, { taken: added, failed })
  }

  return {
    addIn,
    async addInlineIn(transaction, call) {
      const delivery = { ...toDelivery(needs, call), state: 'running' } as const
      await insertDeliveries(transaction, [delivery], leaseOf(needs.owner, clock.nowUs()))
      await countParts(needs, transaction, { taken: [delivery] })
      return createInlineDelivery(needs, delivery.id, delivery.call)
    },
    wake,
    async add(calls) {
      await database.transaction((transaction) => addIn(transaction, calls))
      wake()
    },
    isBehind: (solutionId, count) => hasBacklogOf(database, solutionId, count),
    async list(businessId, solutionId, { before = newest, limit = limits.pageDefault } = {}) {
      const count = Math.min(limit, limits.pageMax)
      const deliveries = await readDeadPage(database, businessId, solutionId, before, count)
      const last = deliveries.length === count ? deliveries.at(-1) : undefined
      return { deliveries, before: last && { failedAt: last.failedAt, id: last.id } }
    },
    async get(businessId, solutionId, id) {
      const found = await readDead(database, businessId, solutionId, id)
      if (found === undefined) throw unknownDelivery()
      return found
    },
    async retry(businessId, solutionId, id, argument) {
      const asked =
        argument === undefined ? { id } : { id, argument: encodeArgument(argument.value) }
      if ((await revive(needs, businessId, solutionId, { ...asked, count: 1 })) === 0)
        throw unknownDelivery()
    },
    async retryAll(businessId, solutionId) {
      let revived = 0
      for (;;) {
        const count = await revive(needs, businessId, solutionId, { count: limits.pageMax })
        revived += count
        if (count < limits.pageMax || revived >= limits.deadDeliveriesMax) return revived
      }
    },
    async discard(businessId, solutionId, id) {
      if ((await deleteDead(database, businessId, solutionId, id)) === 0) throw unknownDelivery()
    },
    discardAll: (businessId, solutionId) => deleteDead(database, businessId, solutionId, undefined),
    async removeIn(transaction, businessId, solutionId) {
      const removed = await deleteOfSolution(transaction, businessId, solutionId)
      const waited = removed.filter(({ state }) => state === 'waiting')
      await countParts(needs, transaction, { failed: waited })
    },
    async sweep() {
      const beforeUs = clock.nowUs() - limits.deadDeliveryHours * usPerHour
      const count = limits.retentionBatchMax
      while ((await deleteOldDead(database, beforeUs, count)) === count);
      await trimDead(database, limits.deadDeliveriesMax)
    },
  }
}

/** Lets dead ones run again. @returns how many. */
async function revive(
  needs: DeliveriesNeeds,
  businessId: string,
  solutionId: string,
  asked: { readonly id?: string; readonly argument?: string; readonly count: number },
): Promise<number> {
  const { database, clock, wake } = needs
  const revived = await database.transaction(async (transaction) => {
    const parts = await requeueDead(transaction, businessId, solutionId, asked, clock.nowUs())
    // They are counted as failed already: what runs now is taken anew.
    await countParts(needs, transaction, { taken: parts })
    return parts.length
  })
  wake()
  return revived
}

/** A job has no key: jobs of one solution run in any order, several at once. */
function toDelivery({ eventlog, random }: DeliveriesNeeds, call: HandlerCall): NewDelivery {
  return {
    id: newId(random),
    call: { ...call, trackingId: call.trackingId ?? newId(random) },
    part: eventlog.partOf(call.solutionId, ''),
    key: null,
    state: 'waiting',
  }
}

/** @throws Fault invalid_argument */
function encodeArgument(argument: ScriptValue): string {
  const refused = sizeProblem(argument, limits.scriptValueBytesMax)
  if (refused !== undefined) throw new Fault('invalid_argument', `The argument: ${refused}`)
  return encodeValue(argument)
}

function unknownDelivery(): Fault {
  return new Fault('not_found', 'The solution has no such delivery that failed.')
}
