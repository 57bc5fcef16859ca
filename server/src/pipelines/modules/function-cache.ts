import type { Insight } from '@millrace/insight-sdk/protocol'
import { type Clock, Fault, limits } from '../../kernel/index.ts'
import type { ExternalModule } from '../types.ts'
import type { Client } from './client.ts'

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

type Kept = { readonly until: number; readonly list: Promise<FunctionList> }

export function createFunctionCache(client: Client, clock: Clock): FunctionCache {
  const kept = new Map<string, Map<string, Kept>>()
  const complained = new Map<string, readonly string[]>()

  function keep(moduleId: string, groupId: string, list: Promise<FunctionList>): void {
    const groups = kept.get(moduleId) ?? new Map<string, Kept>()
    groups.set(groupId, { until: clock.elapsedMs() + limits.moduleFunctionsCacheMs, list })
    kept.set(moduleId, groups)
    dropOldest(groups, limits.moduleFunctionsCachedMax)
    dropOldest(kept, limits.moduleFunctionsCachedMax)
  }

  async function ask(module: ExternalModule, groupId: string): Promise<FunctionList> {
    const list = await askAll(client, module, groupId)
    complained.set(module.id, list.complaints)
    dropOldest(complained, limits.moduleFunctionsCachedMax)
    return list
  }

  return {
    list(module, groupId) {
      const known = kept.get(module.id)?.get(groupId)
      if (known !== undefined && known.until > clock.elapsedMs()) return known.list
      const list = ask(module, groupId)
      keep(module.id, groupId, list)
      // Only the callers that wait for it receive a failure; it is not cached.
      list.catch(() => kept.get(module.id)?.delete(groupId))
      return list
    },
    complaints: (moduleId) => [...(complained.get(moduleId) ?? [])],
    forget(moduleId) {
      kept.delete(moduleId)
      complained.delete(moduleId)
    },
  }
}

/** All pages; a module may also ignore that pages are asked for. */
async function askAll(
  client: Client,
  module: ExternalModule,
  groupId: string,
): Promise<FunctionList> {
  const insights = new Map<string, Insight>()
  const complaints = new Set<string>()
  for (;;) {
    const before = insights.size
    const filter = { group_id: groupId, ...(before === 0 ? {} : { offset: before }) }
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

function dropOldest(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return
    map.delete(key)
  }
}
