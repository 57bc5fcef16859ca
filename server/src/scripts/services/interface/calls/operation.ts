import { Fault } from '../../../../foundation/kernel/index.ts'
import type {
  Configuration,
  HandlerCall,
  ScriptingApi,
  ScriptValue,
} from '../../../scripting/index.ts'
import { defaultCall } from '../definition/device-operations.ts'
import type { Exposed } from '../exposed/exposed-definition.ts'
import { serviceName } from '../exposed/exposed-services.ts'
import type { QuotaCaller } from '../quotas/quota.ts'
import type { Quotas } from '../quotas/quotas.ts'
import { checkValue, isMap, type ScriptMap } from '../schema/check.ts'
import type { SchemaNode } from '../schema/node.ts'
import { type CallAnswer, isScriptError, toResult, withDefaults } from './results.ts'

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
  if (subscription !== undefined) refuseRestricted(parameters, args)
  const whole = withDefaults((subscription?.parameters ?? {}) as ScriptMap, parameters, args)
  const argument = parameters === undefined ? whole : checkValue(parameters, 'parameters', whole)
  if (caller !== undefined) await quotas.take(caller, exposed.definition.quota)
  const { businessId: exposing, solutionId } = exposed
  const handler = { businessId: exposing, solutionId, service: serviceName, event: name }
  const own = exposed.definition.type === 'P' ? defaultCall(name) : undefined
  if (own !== undefined && !(await scripts.handles(exposing, solutionId, serviceName, name))) {
    const value = await scripts.callService({ ...handler, ...own, argument: args, ...run })
    return { value, status: isScriptError(value) ? value.status : 200 }
  }
  const ended = await scripts.run({ ...handler, argument, ...run })
  return toResult(ended, { name, response, trusted: businessId === exposing })
}

/**
 * A restricted parameter is that of the subscription; the exposing business itself, which has none,
 * may give it. @throws Fault invalid_argument
 */
function refuseRestricted(schema: SchemaNode | undefined, args: ScriptValue): void {
  if (schema === undefined || !isMap(args)) return
  for (const [name, { restricted }] of schema.properties) {
    if (restricted === undefined || args[name] === undefined || args[name] === null) continue
    throw new Fault('invalid_argument', `parameters.${name} is that of the subscription`)
  }
}
