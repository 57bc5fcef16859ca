import { type Clock, toFault } from '../../../foundation/kernel/index.ts'
import type { Job, NewJob } from '../../../log/jobs/index.ts'
import type { CallLimits } from '../modules/call-limits.ts'
import type { ModuleClient } from '../modules/client.ts'
import type { ExternalModules } from '../modules/external.ts'
import { noEffects } from '../run.ts'
import type { StoredLink } from '../store.ts'
import { jobKey, parseAssetId, type RunInput, toArgs } from './run-input.ts'
import { busy, isOverloaded, type RunOutcome } from './run-job.ts'

export type NoticeJobOptions = {
  readonly external: ExternalModules
  readonly client: ModuleClient
  readonly callLimits: Pick<CallLimits, 'run'>
  readonly clock: Clock
}

type NoticeJob = Job<RunInput> & { readonly input: { readonly kind: 'notice' } }

/** The job that sends the event of a link to its module. */
export function makeNoticeJob(event: 'create' | 'delete', link: StoredLink): NewJob<RunInput> {
  const { businessId, id, name, moduleId, functionId } = link
  return {
    businessId,
    tenant: businessId,
    key: jobKey(link),
    input: {
      kind: 'notice',
      link: { id, name, moduleId, functionId },
      event: { event, id, args: toArgs(link) },
    },
  }
}

/** Sends the event to a module that wants it. An event that cannot be sent is a line in the log. */
export async function runNoticeJob(
  { external, client, callLimits, clock }: NoticeJobOptions,
  { businessId, key, input: { link, event } }: NoticeJob,
): Promise<RunOutcome> {
  const module = (await external.ofIds(businessId, [link.moduleId])).get(link.moduleId)
  const endpoint = module?.endpoints().lifecycle
  if (endpoint === undefined || module?.info.wants_lifecycle_events !== true) {
    return { kind: 'done' }
  }
  try {
    await callLimits.run(businessId, [module], () => {
      return client.lifecycle(businessId, endpoint, event)
    })
    return { kind: 'done' }
  } catch (error) {
    if (isOverloaded(error)) return busy(clock)
    const effects = noEffects()
    const what = `the module did not receive "${event.event}"`
    const text = `${link.name}: ${what}: ${toFault(error).detail}`
    effects.notes.push({ businessId, assetId: parseAssetId(key), severity: 'warning', text })
    return { kind: 'done', result: { effects, failed: [] } }
  }
}
