import { Fault, limits, Semaphore, type Share } from '../../kernel/index.ts'
import type { ExternalModule } from '../types.ts'

type Call<Result> = () => Promise<Result>

/**
 * Limits the calls of modules under way and waiting. A module that hangs leaves room for the other
 * modules of its business, and a business whose modules hang for other businesses. Entries do not
 * wait for what people request.
 */
export type CallLimits = {
  /**
   * Runs a call of one of the module's functions. All that the consumer has under way at once may
   * wait.
   * @throws Fault overloaded
   */
  process<Result>(module: ExternalModule, call: Call<Result>): Promise<Result>
  /** Runs a call that a person's request makes. @throws Fault overloaded */
  request<Result>(businessId: string, url: string, call: Call<Result>): Promise<Result>
}

export function createCallLimits(): CallLimits {
  const semaphore = new Semaphore({
    max: limits.moduleCallsMax,
    waitingMax: limits.moduleCallsWaitingMax,
    refusal: () =>
      new Fault('overloaded', 'Too many calls of insight modules are waiting. Try again.', {
        retryAfterS: limits.retryAfterS,
      }),
  })
  return {
    process: (module, call) => semaphore.run(processShares(module), call),
    request: (businessId, url, call) => semaphore.run(requestShares(businessId, url), call),
  }
}

function processShares({ id, businessId }: ExternalModule): Share[] {
  return [
    { key: `process ${businessId}`, max: limits.moduleCallsOfBusinessMax },
    { key: `process ${businessId} ${id}`, max: limits.moduleCallsOfModuleMax },
  ]
}

/** A module that is not added yet has no id, so a request counts for the URL that it calls. */
function requestShares(businessId: string, url: string): Share[] {
  return [
    {
      key: `request ${businessId}`,
      max: limits.moduleRequestsOfBusinessMax,
      waitingMax: limits.moduleRequestsWaitingMax,
    },
    { key: `request ${businessId} ${url}`, max: limits.moduleRequestsOfUrlMax },
  ]
}
