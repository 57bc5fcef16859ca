import { limits } from '../../kernel/index.ts'
import type {
  Configuration,
  ConfigurationChange,
  Ended,
  HandlerCall,
  Hearer,
  ScriptingApi,
} from '../../scripting/index.ts'
import type { Exposed } from './exposed.ts'
import { serviceName } from './exposures.ts'
import { isMap } from './schema/check.ts'
import { checkParameters } from './subscription.ts'

const events = {
  added: 'subscriberAdded',
  removed: 'subscriberRemoved',
  updated: 'subscriberUpdated',
} as const

/** How an exposed solution hears what became of a subscription, where it wants to know. */
export async function hearerOf(
  scripts: Pick<ScriptingApi, 'handles'>,
  { businessId, solutionId }: Exposed,
  kind: ConfigurationChange['kind'],
): Promise<Hearer | undefined> {
  const event = events[kind]
  if (!(await scripts.handles(businessId, solutionId, serviceName, event))) return undefined
  return {
    call({ id, parameters, solutionId: solution_id }) {
      const argument = { id, parameters, solution_id } as HandlerCall['argument']
      return { businessId, solutionId, service: serviceName, event, argument }
    },
    ...(kind === 'updated' && { wallMsMax: limits.subscriberUpdatedMsMax }),
  }
}

/**
 * The handler of `subscriberUpdated` may give the parameters back as they are to be; storing them
 * raises no event, so nothing goes in circles. Where it could not run at once it is delivered
 * later, and then what it gives back is not stored: the subscriber may have changed its mind since.
 */
export async function storeAnswer(
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
