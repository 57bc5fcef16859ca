import { Fault, limits } from '../../../kernel/index.ts'

/** Runs a piece of work for a connector, or refuses it at once. @throws Fault `overloaded`. */
export type VendorSemaphore = <Result>(
  connectorId: string,
  work: () => Promise<Result>,
) => Promise<Result>

/**
 * A vendor may be slow, and its calls hold what the whole process shares: so a connector has few of
 * them under way at once, and the process has not many.
 */
export function createVendorSemaphore(): VendorSemaphore {
  const busy = new Map<string, number>()
  let under = 0
  return async (connectorId, work) => {
    const own = busy.get(connectorId) ?? 0
    if (own >= limits.vendorCallsOfConnectorMax || under >= limits.vendorCallsMax) {
      throw new Fault('overloaded', 'Too many requests are being signed. Try again.', {
        retryAfterS: limits.retryAfterS,
      })
    }
    busy.set(connectorId, own + 1)
    under += 1
    try {
      return await work()
    } finally {
      under -= 1
      const left = (busy.get(connectorId) ?? 1) - 1
      if (left > 0) busy.set(connectorId, left)
      else busy.delete(connectorId)
    }
  }
}
