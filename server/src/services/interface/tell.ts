import { limits } from '../../kernel/index.ts'
import type { ConfigurationChange, HandlerCall, Scripts } from '../../scripting/index.ts'
import type { Exposed } from './exposed.ts'
import { serviceName } from './exposures.ts'
import type { Quotas } from './quotas.ts'
import { isMap } from './schema/check.ts'
import { checkParameters } from './subscription.ts'

const events = {
  added: 'subscriberAdded',
  removed: 'subscriberRemoved',
  updated: 'subscriberUpdated',
} as const

export type TellNeeds = { readonly scripts: Scripts; readonly quotas: Quotas }

/** Tells an exposed solution what became of a subscription, where it wants to know. */
export async function tellExposed(
  { scripts, quotas }: TellNeeds,
  exposed: Exposed,
  { kind, configuration }: ConfigurationChange,
): Promise<void> {
  const { businessId, solutionId } = exposed
  const { id, parameters, solutionId: solution_id } = configuration
  if (kind === 'removed') await quotas.forget(id)
  const event = events[kind]
  if (!(await scripts.handles(businessId, solutionId, serviceName, event))) return
  const argument = { id, parameters, solution_id } as HandlerCall['argument']
  const call = { businessId, solutionId, service: serviceName, event, argument }
  if (kind === 'updated') await runUpdated(scripts, exposed, call, id)
  else await scripts.deliveries.add([call])
}

/**
 * The handler may give the parameters back as they are to be; storing them raises no event, so
 * nothing goes in circles. Where it could not run at all it is delivered later, and then what it
 * gives back is not stored: the subscriber may have changed its mind since.
 */
async function runUpdated(
  scripts: Scripts,
  exposed: Exposed,
  call: HandlerCall,
  id: string,
): Promise<void> {
  const ended = await scripts.run({ ...call, wallMsMax: limits.subscriberUpdatedMsMax })
  if (ended.kind === 'stopped') return scripts.deliveries.add([call])
  if (ended.kind === 'failed' || !isMap(ended.value)) return
  const { parameters } = ended.value
  if (parameters === undefined || !isMap(parameters)) return
  const checked = checkParameters(exposed, parameters)
  await scripts.configurations.setParameters(exposed.solutionId, id, checked)
}
