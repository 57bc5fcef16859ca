import type { Queryable } from '../../database/index.ts'
import { errorCatalogue, limits } from '../../kernel/index.ts'
import { scriptError } from '../runtime/script-error.ts'
import { readOverfull } from '../store/deliveries.ts'
import type { NewDelivery } from './delivery.ts'

/**
 * Dead-letters deliveries of solutions with more than `limits.deliveriesWaitingMax` waiting ones:
 * they were acknowledged, so they are not lost, and their owner decides.
 */
export async function deadLetterOverflow(
  queryable: Queryable,
  deliveries: readonly NewDelivery[],
): Promise<readonly NewDelivery[]> {
  const waiting = deliveries.filter(({ state }) => state === 'waiting')
  const solutions = [...new Set(waiting.map(({ call }) => call.solutionId))]
  if (solutions.length === 0) return deliveries
  const full = await readOverfull(queryable, solutions, limits.deliveriesWaitingMax)
  if (full.size === 0) return deliveries
  return deliveries.map((one) =>
    one.state === 'waiting' && full.has(one.call.solutionId)
      ? { ...one, state: 'dead', error: overloaded() }
      : one,
  )
}

const overloaded = () =>
  scriptError(
    errorCatalogue.overloaded.status,
    `overloaded: ${limits.deliveriesWaitingMax} calls of the solution wait already.`,
  )
