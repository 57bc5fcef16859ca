import { ModuleError } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { Surroundings } from '../module/call.ts'
import type { InsightFunction } from '../module/define-function.ts'
import type { InsightModule } from '../module/define-module.ts'
import {
  type InsightInfo,
  type InsightListResults,
  type ProcessAnswer,
  readInsightsFilter,
  readLifecycleEvent,
  readProcessRequest,
} from '../protocol.ts'
import type { States } from './states.ts'

export type Serving = {
  readonly module: InsightModule
  readonly limits: Limits
  readonly states: States
  readonly surroundings: Omit<Surroundings, 'stateFor'>
}

/** `POST /insights`: the functions of a group, a window of them. */
export function listInsights({ module, limits }: Serving, body: unknown): InsightListResults {
  const filter = accept(readInsightsFilter(body))
  if (module.info.group_id_required && filter.group_id === '') {
    throw new ModuleError('InvalidRequest', 'group_id is required.')
  }
  const group = [...module.functions.values()].filter((it) => isListed(it, filter.group_id))
  const offset = filter.offset ?? 0
  const limit = Math.min(filter.limit ?? limits.listMax, limits.listMax)
  const insights = group.slice(offset, offset + limit).map(({ info }) => info)
  return { total: group.length, count: insights.length, insights }
}

function isListed({ groups }: InsightFunction, groupId: string): boolean {
  return groupId === '' || groups === undefined || groups.includes(groupId)
}

/** `GET /insight/{function_id}` */
export function describeInsight({ module }: Serving, functionId: string): InsightInfo {
  return findFunction(module, functionId).info
}

/** `POST /process` */
export async function processSignals(serving: Serving, body: unknown): Promise<ProcessAnswer> {
  const request = accept(readProcessRequest(body))
  const called = findFunction(serving.module, request.args.function_id)
  return called.run(request, {
    ...serving.surroundings,
    stateFor: (linkId, make) => serving.states.of(called.info.id, linkId, make),
  })
}

/** `POST /lifecycle`: deletes a linkage's states before `onLifecycle` of the author is called. */
export async function noteLifecycle({ module, states }: Serving, body: unknown): Promise<object> {
  const event = accept(readLifecycleEvent(body))
  if (event.event === 'delete') states.forget(module.functions.keys(), event.id)
  await module.onLifecycle(event)
  return {}
}

function findFunction(module: InsightModule, functionId: string): InsightFunction {
  const found = module.functions.get(functionId)
  if (found === undefined) {
    throw new ModuleError('NotFound', `There is no function ${JSON.stringify(functionId)}.`)
  }
  return found
}

type Read<T> = { readonly value: T; readonly error?: undefined } | { readonly error: string }

function accept<T>(read: Read<T>): T {
  if (read.error !== undefined) throw new ModuleError('InvalidRequest', read.error)
  return read.value
}
