import type { Insight } from '@millrace/insight-sdk/protocol'
import { type Clock, Fault, LruMap, omitUndefined } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'
import { type RenewOptions, renewLinks } from '../links/renew.ts'
import { keepFunctions, readFunctions, type StoredFunctions } from '../store/functions.ts'
import { addModuleAnswer } from '../store.ts'
import type { ExternalModule } from '../types.ts'
import type { ModuleClient } from './client.ts'

/** Lists of functions that are cached. */
const moduleFunctionsCachedMax = 1_000

export type FunctionList = StoredFunctions & {
  /** The reason why the module could not be asked now: the list is what it answered before. */
  readonly failure: string | null
}

/**
 * The functions of modules: asked for once in a while, cached, and stored, so that a module that is
 * down leaves its last ones.
 */
export type FunctionLists = {
  /** @throws Fault module_failed if the module never listed them; address_refused, overloaded */
  list(module: ExternalModule, groupId: string): Promise<FunctionList>
  /** The complaints about the lists that are cached now. */
  complaints(moduleId: string): string[]
  forget(moduleId: string): void
}

export type FunctionListsOptions = RenewOptions & {
  readonly client: ModuleClient
  readonly clock: Clock
}

type Cached = {
  readonly moduleId: string
  readonly untilMs: number
  readonly list: Promise<FunctionList>
}

export function createFunctionLists(options: FunctionListsOptions): FunctionLists {
  const { clock } = options
  const cached = new LruMap<string, Cached>(moduleFunctionsCachedMax)
  const complained = new LruMap<string, readonly string[]>(moduleFunctionsCachedMax)

  async function ask(module: ExternalModule, groupId: string): Promise<FunctionList> {
    const list = await askOrRecall(options, module, groupId)
    complained.set(module.id, list.complaints)
    return list
  }

  return {
    list(module, groupId) {
      const key = `${module.id} ${groupId}`
      const known = cached.get(key)
      if (known !== undefined && known.untilMs > clock.elapsedMs()) return known.list
      const untilMs = clock.elapsedMs() + pipelineLimits.moduleFunctionsCacheMs
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

/** Asks the module; if it fails, the list that it answered last is read from the database. */
async function askOrRecall(
  options: FunctionListsOptions,
  module: ExternalModule,
  groupId: string,
): Promise<FunctionList> {
  const { client, database, clock } = options
  const key = { businessId: module.businessId, moduleId: module.id, groupId }
  const before = await readFunctions(database, key)
  try {
    const asked = await askAll(client, module, groupId)
    await refreshInfo(options, module)
    const list = { ...asked, readAt: clock.nowUs() }
    // The links first: if they cannot be compared now, the next reading finds the change again.
    if (before !== undefined && isChanged(before, list)) {
      await renewLinks(options, key, list.insights)
    }
    await keepFunctions(database, key, list)
    return { ...list, failure: null }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'module_failed' || before === undefined) {
      throw error
    }
    return { ...before, failure: error.detail }
  }
}

/** Reads again what a module answers about itself; one that does not answer stays as it was. */
async function refreshInfo(
  { client, database }: FunctionListsOptions,
  { businessId, id, info, endpoints }: ExternalModule,
): Promise<void> {
  try {
    const { value, complaints } = await client.info(businessId, endpoints().info)
    if (JSON.stringify(value) === JSON.stringify(info)) return
    await addModuleAnswer(database, businessId, id, { info: value, complaints })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
  }
}

function isChanged(before: StoredFunctions, { insights }: StoredFunctions): boolean {
  return JSON.stringify(before.insights) !== JSON.stringify(insights)
}

/** All pages; a module may also ignore that pages are asked for. */
async function askAll(
  client: ModuleClient,
  module: ExternalModule,
  groupId: string,
): Promise<Omit<StoredFunctions, 'readAt'>> {
  const insights = new Map<string, Insight>()
  const complaints = new Set<string>()
  // Counts all that was listed, not what is kept: pages must not overlap.
  let listed = 0
  let before = ''
  for (;;) {
    const filter = omitUndefined({ group_id: groupId, offset: listed || undefined })
    const page = await client.insights(module.businessId, module.endpoints().insights, filter)
    const { insights: found, count, total } = page.value
    for (const complaint of page.complaints) complaints.add(complaint)
    const ids = found.map(({ id }) => id).join('\n')
    if (count === 0 || (ids !== '' && ids === before)) break
    for (const insight of found) {
      if (!insights.has(insight.id)) insights.set(insight.id, insight)
      else complaints.add(`function "${insight.id}" is listed twice; the first is taken`)
    }
    before = ids
    listed += count
    if (listed > pipelineLimits.moduleFunctionsMax) {
      const most = pipelineLimits.moduleFunctionsMax
      throw new Fault('module_failed', `The module lists more than ${most} functions.`)
    }
    if (listed >= total) break
  }
  return { insights: [...insights.values()], complaints: [...complaints] }
}
