import { callerOf } from './caller.ts'
import { checkDefinition } from './definition-checks.ts'
import {
  checkInfo,
  checkInsight,
  checkLifecycle,
  checkList,
  checkProcess,
  checkRefusals,
} from './function-checks.ts'

/** One demand of the protocol, in words, and whether a module meets it. */
export type Check = { readonly name: string; readonly ok: boolean; readonly reason?: string }

export type Conformance = { readonly checks: readonly Check[] }

export type CheckOptions = {
  /** Sent with each call, such as `{ authorization: 'Basic …' }`. */
  readonly headers?: { readonly [name: string]: string }
  /** The group to list, where the module requires one. Default `""`. */
  readonly groupId?: string
  /** For each call. Default 10 s. */
  readonly msMax?: number
}

const callMsMax = 10_000

/**
 * Checks a served module, in whatever language it is written, against what the protocol demands.
 * Each function but actions is run once, as the linkage `conformance`. Never rejects: a module that
 * cannot be reached fails its checks.
 *
 * @param baseUrl where the module is served, with its base path
 */
export async function checkModule(
  baseUrl: string,
  options: CheckOptions = {},
): Promise<Conformance> {
  const caller = callerOf(baseUrl, options.headers ?? {}, options.msMax ?? callMsMax)
  const definition = checkDefinition(await caller.get('/interface'))
  const { paths } = definition
  const info = await checkInfo(caller, paths)
  const list = await checkList(caller, paths, options.groupId ?? '')
  const checks = [...definition.checks, ...info.checks, ...list.checks]
  for (const insight of list.insights) {
    if (paths.insight !== undefined) checks.push(await checkInsight(caller, paths.insight, insight))
    checks.push(...(await checkProcess(caller, paths, insight)))
  }
  checks.push(...(await checkRefusals(caller, paths)))
  if (info.wantsEvents) checks.push(await checkLifecycle(caller, paths.lifecycle ?? '/lifecycle'))
  return { checks }
}
