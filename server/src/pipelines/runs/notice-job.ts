import type { Database } from '../../database/index.ts'
import type { Job, NewJob } from '../../jobs/index.ts'
import { type Clock, faultOf } from '../../kernel/index.ts'
import type { CallLimits } from '../modules/call-limits.ts'
import type { ModuleClient } from '../modules/client.ts'
import { noEffects } from '../run.ts'
import { readModule, type StoredLink } from '../store.ts'
import { argsOf, type RunInput } from './run-input.ts'
import { busy, isOverloaded, type RunOutcome } from './run-job.ts'

export type NoticeJobOptions = {
  readonly database: Database
  readonly client: ModuleClient
  readonly callLimits: Pick<CallLimits, 'run'>
  readonly clock: Clock
}

type NoticeJob = Job<RunInput> & { readonly input: { readonly kind: 'notice' } }

/** The job that sends the event of a link to its module. */
export function noticeOf(event: 'create' | 'delete', link: StoredLink): NewJob<RunInput> {
  const { businessId, assetId, id, name, moduleId, functionId } = link
  return {
    businessId,
    tenant: businessId,
    key: assetId,
    input: {
      kind: 'notice',
      link: { id, name, moduleId, functionId },
      event: { event, id, args: argsOf(link) },
    },
  }
}

/** Sends the event to a module that wants it. One that cannot be sent is a line in the log. */
export async function runNoticeJob(
  { database, client, callLimits, clock }: NoticeJobOptions,
  { businessId, key, input: { link, event } }: NoticeJob,
): Promise<RunOutcome> {
  const module = await readModule(database, businessId, link.moduleId)
  const endpoint = module?.endpoints.lifecycle
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
    const text = `${link.name}: ${what}: ${faultOf(error).detail}`
    effects.notes.push({ businessId, assetId: key ?? '', severity: 'warning', text })
    return { kind: 'done', result: { effects, failed: [] } }
  }
}
