import { Fault } from '../../../foundation/kernel/index.ts'
import { formatReset, type Periods } from './quotas/quota.ts'
import type { Grant } from './store.ts'

/**
 * The refusals of the service: each becomes `{type, error, status}` at the script.
 * docs/reference/interface.md lists them.
 */
export const refusals = {
  /** The spec: "non-solution services cannot broadcast with trigger". */
  notASolution: () =>
    new Fault('forbidden', 'Only a solution has subscribers, and can trigger them.'),
  /** The spec: "service not found (trigger)". */
  notExposed: () => new Fault('not_found', 'The service is not found: the solution exposes none.'),
  /** The spec: "target subscriber not found (triggerOne)". */
  noTarget: () => new Fault('not_found', 'The target subscriber is not found.'),
  noSubscriber: () => new Fault('not_found', 'The subscriber is not found.'),
  noOperation: () => new Fault('not_found', 'The service has no such operation.'),
  notSubscribed: () => new Fault('not_found', 'The service is not found.'),
  quotaExceeded({ quota, endsBy }: Grant, periods: Periods) {
    const used = `The quota ${endsBy} of ${quota[endsBy]} calls is used up`
    return new Fault('quota_exceeded', `${used} until ${formatReset(endsBy, periods)}.`)
  },
  badResponse: (name: string, sentence: string) =>
    new Fault('response_refused', `What ${name} answered breaks its schema: ${sentence}`),
  tooManySubscribers: (most: number) =>
    new Fault('invalid_argument', `The service has ${most} subscribers, and no room for more.`),
} as const
