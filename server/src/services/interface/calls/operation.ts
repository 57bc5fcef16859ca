import type {
  Configuration,
  HandlerCall,
  ScriptingApi,
  ScriptValue,
} from '../../../scripting/index.ts'
import type { Exposed } from '../exposed/exposed.ts'
import { serviceName } from '../exposed/exposed-services.ts'
import type { QuotaCaller } from '../quotas/quota.ts'
import type { Quotas } from '../quotas/quotas.ts'
import { checkValue, type ScriptMap } from '../schema/check.ts'
import { type CallAnswer, resultOf, withDefaults } from './results.ts'

/** A call of an exposed solution's operation, by a subscriber's script or an external program. */
export type OperationCall = {
  readonly name: string
  readonly args: ScriptValue
  /** The caller's business. */
  readonly businessId: string
  /** Its parameters are defaults for the arguments. */
  readonly subscription: Configuration | undefined
  /** The owner of the quota that counts the call; undefined: the exposing business itself calls. */
  readonly caller: QuotaCaller | undefined
  readonly run: Pick<HandlerCall, 'callerId' | 'trackingId' | 'depth' | 'wallMsMax'>
}

/**
 * Calls the exposing solution's handler.
 * @throws Fault invalid_argument, too_complex, quota_exceeded
 */
export async function callOperation(
  { scripts, quotas }: { readonly scripts: ScriptingApi; readonly quotas: Quotas },
  exposed: Exposed,
  { name, args, businessId, subscription, caller, run }: OperationCall,
): Promise<CallAnswer> {
  const { parameters, response } = exposed.operations.get(name) ?? {}
  const whole = withDefaults((subscription?.parameters ?? {}) as ScriptMap, parameters, args)
  const argument = parameters === undefined ? whole : checkValue(parameters, 'parameters', whole)
  if (caller !== undefined) await quotas.take(caller, exposed.definition.quota)
  const { businessId: exposing, solutionId } = exposed
  const ended = await scripts.run({
    businessId: exposing,
    solutionId,
    service: serviceName,
    event: name,
    argument,
    ...run,
  })
  return resultOf(ended, { name, response, trusted: businessId === exposing })
}
