import type {
  ChangeSubscriber,
  Configuration,
  ConfigurationChange,
  Ended,
  HandlerCall,
  ScriptingApi,
} from '../../../scripting/index.ts'
import type { Exposed } from '../exposed/exposed-definition.ts'
import { serviceName } from '../exposed/exposed-services.ts'
import { isMap } from '../schema/check.ts'
import { checkParameters } from './subscription.ts'

/**
 * The run time of the handler of `subscriberUpdated`; the change of the subscription waits for it.
 */
const subscriberUpdatedMsMax = 5_000

const events = {
  added: 'subscriberAdded',
  removed: 'subscriberRemoved',
  updated: 'subscriberUpdated',
} as const

/** Returns the call of the exposed solution's handler for a change; undefined if it has none. */
export async function findChangeCall(
  scripts: Pick<ScriptingApi, 'takes'>,
  { businessId, solutionId }: Exposed,
  kind: ConfigurationChange['kind'],
): Promise<ChangeSubscriber | undefined> {
  const event = events[kind]
  if (!(await scripts.takes(businessId, solutionId, serviceName, event))) return undefined
  return {
    call({ id, parameters, solutionId: solution_id }) {
      const argument = { id, parameters, solution_id } as HandlerCall['argument']
      return { businessId, solutionId, service: serviceName, event, argument }
    },
    ...(kind === 'updated' && { wallMsMax: subscriberUpdatedMsMax }),
  }
}

/**
 * The handler of `subscriberUpdated` may return the parameters to store; storing them raises no
 * event, so there is no loop. If it could not run at once its event is delivered later and what it
 * returns is not stored: the subscriber may have changed the parameters since.
 */
export async function storeReturnedParameters(
  { configurations }: Pick<ScriptingApi, 'configurations'>,
  exposed: Exposed,
  { id }: Configuration,
  end: Ended,
): Promise<void> {
  if (end.kind !== 'returned' || !isMap(end.value)) return
  const { parameters } = end.value
  if (parameters === undefined || !isMap(parameters)) return
  const checked = checkParameters(exposed, parameters)
  await configurations.setParameters(exposed.solutionId, id, checked)
}
