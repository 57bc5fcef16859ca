import type {
  Configuration,
  HandlerCall,
  ScriptingApi,
  ScriptValue,
} from '../../scripting/index.ts'
import type { Exposed } from './exposed.ts'
import { serviceName } from './exposures.ts'
import type { Caller } from './quota.ts'
import type { Quotas } from './quotas.ts'
import { checkValue, type ScriptMap } from './schema/check.ts'
import { type Answered, answerOf, withDefaults } from './values.ts'

/** A call of an exposed solution's operation, by a subscriber's script or from outside. */
export type OperationCall = {
  readonly name: string
  readonly args: ScriptValue
  /** Of who calls. */
  readonly businessId: string
  /** Its parameters are defaults of the arguments. */
  readonly subscription: Configuration | undefined
  /** Whose quota counts the call; undefined: the exposing business calls its own. */
  readonly caller: Caller | undefined
  readonly run: Pick<HandlerCall, 'callerId' | 'trackingId' | 'depth' | 'wallMsMax'>
}

/**
 * It becomes a call of the exposing solution's handler.
 * @throws Fault invalid_argument, too_complex, quota_exceeded
 */
export async function callOperation(
  { scripts, quotas }: { readonly scripts: ScriptingApi; readonly quotas: Quotas },
  exposed: Exposed,
  { name, args, businessId, subscription, caller, run }: OperationCall,
): Promise<Answered> {
  const { parameters, response } = exposed.operations.get(name) ?? {}
  const whole = withDefaults((subscription?.parameters ?? {}) as ScriptMap, parameters, args)
  const argument = parameters === undefined ? whole : checkValue(parameters, 'parameters', whole)
  if (caller !== undefined) await quotas.take(caller, exposed.definition.quota)
  const { businessId: exposing, solutionId } = exposed
  const ended = await scripts.run({
    ...{ businessId: exposing, solutionId, service: serviceName, event: name, argument },
    ...run,
  })
  return answerOf(ended, { name, response, trusted: businessId === exposing })
}
