import { invalidField, toFault } from '../../../../foundation/kernel/index.ts'
import { requireWhole, type View } from '../../../../people/groups/index.ts'
import type { Configuration, ScriptingApi, ScriptValue } from '../../../scripting/index.ts'
import { refusals } from '../errors.ts'
import type { Exposed } from '../exposed/exposed-definition.ts'
import type { ExposedServices } from '../exposed/exposed-services.ts'
import type { QuotaCaller } from '../quotas/quota.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { Subscribers } from '../subscribers/subscribers.ts'
import { toCaller } from '../subscribers/subscription.ts'
import { callOperation } from './operation.ts'
import { type CallAnswer, errorResult, isScriptError } from './results.ts'

/** A program that calls an operation as scripts do, with an API token of a business. */
export type ExternalCall = {
  /** The view of the token: all of its business, or the call is refused. */
  readonly view: View
  /** The exposed solution, by its id or script key. */
  readonly solution: string
  readonly operation: string
  readonly args: unknown
  /** The calling subscriber: a solution of the business, or the subscription's id. */
  readonly subscriber: string | undefined
}

/** Calls operations for external programs. */
export type ExternalCalls = {
  /**
   * `status` is an HTTP status: 200, or from 400 with an error object as the value. Internal errors
   * are thrown. @throws Fault forbidden for a view of some groups.
   */
  call(call: ExternalCall): Promise<CallAnswer>
}

export type ExternalCallsOptions = {
  readonly scripts: ScriptingApi
  readonly exposedServices: ExposedServices
  readonly subscribers: Subscribers
  readonly quotas: Quotas
}

export function createExternalCalls(options: ExternalCallsOptions): ExternalCalls {
  const { scripts, exposedServices, subscribers } = options

  async function answer(call: ExternalCall): Promise<CallAnswer> {
    const { operation: name } = call
    const { businessId } = call.view
    const exposed = await exposedServices.find(businessId, call.solution)
    if (exposed === undefined) throw refusals.notSubscribed()
    if (!exposed.operations.has(name)) throw refusals.noOperation()
    const subscription = await findSubscription(exposed, call)
    const callerId = subscription?.solutionId
    const caller = toQuotaCaller(exposed, businessId, subscription)
    const result = await callOperation(options, exposed, {
      name,
      businessId,
      subscription,
      caller,
      args: call.args as ScriptValue,
      run: callerId === undefined ? {} : { callerId },
    })
    if (containsBytes(result.value)) {
      throw refusals.badResponse(name, 'response must be UTF-8 to be JSON')
    }
    return { ...result, status: toStatus(result) }
  }

  /** A subscribed business calls as its subscription, so that it cannot bypass that one's quota. */
  async function findSubscription(
    exposed: Exposed,
    { view: { businessId }, subscriber }: ExternalCall,
  ): Promise<Configuration | undefined> {
    if (subscriber !== undefined) {
      const found = await subscribers.find(exposed, subscriber)
      if (found?.businessId !== businessId) throw refusals.noSubscriber()
      return found
    }
    if (businessId === exposed.businessId) return undefined
    const first = { businessId, offset: 0, limit: 1 }
    const page = await scripts.configurations.ofService(exposed.solutionId, first)
    if (page.total <= 1) return page.items[0]
    throw invalidField(
      'subscriber',
      `must name the calling subscription, one of ${page.total} subscriptions`,
    )
  }

  return {
    async call(call) {
      // Scripts act for the whole business, and connectors' operations on all of its devices.
      requireWhole(call.view, 'A call of an operation')
      try {
        return await answer(call)
      } catch (thrown) {
        const fault = toFault(thrown)
        if (fault.code === 'internal') throw thrown
        return errorResult(fault)
      }
    },
  }
}

/** Returns the quota's owner; a caller without a subscription still has its business's quota. */
function toQuotaCaller(
  exposed: Exposed,
  businessId: string,
  subscription: Configuration | undefined,
): QuotaCaller | undefined {
  if (subscription !== undefined) return toCaller(exposed, subscription)
  if (businessId === exposed.businessId) return undefined
  return toCaller(exposed, { businessId, solutionId: '' })
}

/** Returns an error object's own status if it is an HTTP error status, else 500. */
function toStatus({ value }: CallAnswer): number {
  if (!isScriptError(value)) return 200
  const { status } = value
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500
}

/** True if the value contains text that is not UTF-8, which JSON cannot have. */
function containsBytes(value: ScriptValue): boolean {
  if (typeof value !== 'object' || value === null) return false
  return value instanceof Uint8Array || Object.values(value).some(containsBytes)
}
