import type { Insight } from '@millrace/insight-sdk/protocol'
import { type Clock, Fault, LruMap, limits, omitUndefined } from '../../kernel/index.ts'
import type { ExternalModule } from '../types.ts'
import type { ModuleClient } from './client.ts'

export type FunctionList = {
  readonly insights: readonly Insight[]
  readonly complaints: readonly string[]
}

/** The functions of modules, asked for once in a while. */
export type FunctionCache = {
  /** @throws Fault module_failed, address_refused */
  list(module: ExternalModule, groupId: string): Promise<FunctionList>
  /** The complaints about the lists that are cached now. */
  complaints(moduleId: string): string[]
  forget(moduleId: string): void
}

type Cached = {
  readonly moduleId: string
  readonly untilMs: number
  readonly list: Promise<FunctionList>
}

export function createFunctionCache(client: ModuleClient, clock: Clock): FunctionCache {
  const cached = new LruMap<string, Cached>(limits.moduleFunctionsCachedMax)
  const complained = new LruMap<string, readonly string[]>(limits.moduleFunctionsCachedMax)

  async function ask(module: ExternalModule, groupId: string): Promise<FunctionList> {
    const list = await askAll(client, module, groupId)
    complained.set(module.id, list.complaints)
    return list
  }

  return {
    list(module, groupId) {
      const key = `${module.id} ${groupId}`
      const known = cached.get(key)
      if (known !== undefined && known.untilMs > clock.elapsedMs()) return known.list
      const untilMs = clock.elapsedMs() + limits.moduleFunctionsCacheMs
      const fresh = { moduleId: module.id, untilMs, list: ask(module, groupId) }
      cached.set(key, fresh)
      // Only the callers that wait for it receive a failure; it is not cached.
      fresh.list.catch(() => {
        if (cached.peek(key) === fresh) cached.delete(key)
      })
      return fresh.list
    },
    complaints: (moduleId) => [...(complained.get(moduleId) ?? [])],
    forget(moduleId) {
      cached.deleteWhere((one) => one.moduleId === moduleId)
      complained.delete(moduleId)
    },
  }
}

/** All pages; a module may also ignore that pages are asked for. */
async function askAll(
  client: ModuleClient,
  module: ExternalModule,
  groupId: string,
): Promise<FunctionList> {
  const insights = new Map<string, Insight>()
  const complaints = new Set<string>()
  for (;;) {
    const before = insights.size
    const filter = omitUndefined({ group_id: groupId, offset: before || undefined })
    const page = await client.insights(module.businessId, module.endpoints.insights, filter)
    for (const complaint of page.complaints) complaints.add(complaint)
    for (const insight of page.value.insights) insights.set(insight.id, insight)
    if (insights.size > limits.moduleFunctionsMax) {
      const most = limits.moduleFunctionsMax
      throw new Fault('module_failed', `The module lists more than ${most} functions.`)
    }
    if (insights.size === before || insights.size >= page.value.total) break
  }
  return { insights: [...insights.values()], complaints: [...complaints] }
}
