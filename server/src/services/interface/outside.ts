import { faultOf, invalidField } from '../../kernel/index.ts'
import type { Configuration, ScriptingApi, ScriptValue } from '../../scripting/index.ts'
import { refusals } from './errors.ts'
import type { Exposed } from './exposed.ts'
import type { Exposures } from './exposures.ts'
import { callOperation } from './operation.ts'
import type { Caller } from './quota.ts'
import type { Quotas } from './quotas.ts'
import type { Subscribers } from './subscribers.ts'
import { callerOf } from './subscription.ts'
import { type Answered, answeredWith, isScriptError } from './values.ts'

/** A program that calls an operation as scripts do, with an API token of a business. */
export type OutsideCall = {
  /** Of the token. */
  readonly businessId: string
  /** The exposed solution, by its id or script key. */
  readonly solution: string
  readonly operation: string
  readonly args: unknown
  /** As whose subscription: a solution of the business, or the subscription's id. */
  readonly subscriber: string | undefined
}

/** How an operation is called from outside. */
export type OutsideCalls = {
  /**
   * `status` is an HTTP status: 200, or from 400 with an error object as the value. What is not the
   * caller's to know, or nobody's fault in particular, is thrown.
   */
  call(call: OutsideCall): Promise<Answered>
}

export type OutsideNeeds = {
  readonly scripts: ScriptingApi
  readonly exposures: Exposures
  readonly subscribers: Subscribers
  readonly quotas: Quotas
}

export function createOutsideCalls(needs: OutsideNeeds): OutsideCalls {
  const { scripts, exposures, subscribers } = needs

  async function answer(call: OutsideCall): Promise<Answered> {
    const { businessId, operation: name } = call
    const exposed = await exposures.find(businessId, call.solution)
    if (exposed === undefined) throw refusals.notSubscribed()
    if (!exposed.operations.has(name)) throw refusals.noOperation()
    const subscription = await subscriptionOf(exposed, call)
    const callerId = subscription?.solutionId
    const caller = quotaCallerOf(exposed, businessId, subscription)
    const answered = await callOperation(needs, exposed, {
      ...{ name, businessId, subscription, caller, args: call.args as ScriptValue },
      run: callerId === undefined ? {} : { callerId },
    })
    if (holdsBytes(answered.value)) {
      throw refusals.badResponse(name, 'response must be UTF-8 to be JSON')
    }
    return { ...answered, status: statusOf(answered) }
  }

  /** Another business that has subscribed has agreed to a quota: it cannot go around that. */
  async function subscriptionOf(
    exposed: Exposed,
    { businessId, subscriber }: OutsideCall,
  ): Promise<Configuration | undefined> {
    if (subscriber !== undefined) {
      const found = await subscribers.find(exposed, subscriber)
      if (found?.businessId !== businessId) throw refusals.noSubscriber()
      return found
    }
    if (businessId === exposed.businessId) return undefined
    const asked = { businessId, offset: 0, limit: 1 }
    const page = await scripts.configurations.ofService(exposed.solutionId, asked)
    if (page.total <= 1) return page.items[0]
    throw invalidField('subscriber', `must say which of ${page.total} subscriptions calls`)
  }

  return {
    async call(call) {
      try {
        return await answer(call)
      } catch (thrown) {
        const fault = faultOf(thrown)
        if (fault.code === 'internal') throw thrown
        return answeredWith(fault)
      }
    },
  }
}

/** Who had a quota keeps it without its subscription, as its business does. */
function quotaCallerOf(
  exposed: Exposed,
  businessId: string,
  subscription: Configuration | undefined,
): Caller | undefined {
  if (subscription !== undefined) return callerOf(exposed, subscription)
  if (businessId === exposed.businessId) return undefined
  return callerOf(exposed, { businessId, solutionId: '' })
}

/** An error object goes out with its own status where that is one of HTTP's for errors. */
function statusOf({ value }: Answered): number {
  if (!isScriptError(value)) return 200
  const { status } = value
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500
}

/** A text of Lua that is no UTF-8: JSON has none. */
function holdsBytes(value: ScriptValue): boolean {
  if (typeof value !== 'object' || value === null) return false
  return value instanceof Uint8Array || Object.values(value).some(holdsBytes)
}
