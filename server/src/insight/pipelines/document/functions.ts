import type { Insight } from '@millrace/insight-sdk/protocol'
import { Fault, limits, toFault } from '../../../foundation/kernel/index.ts'
import type { DescribedFunctions } from '../modules/descriptions.ts'
import type { FindFunction, FullChange, LinkSpec } from './schema.ts'

/** @throws Fault pipeline_refused */
export function checkSize({ links, remove }: FullChange): void {
  const most = limits.linksPerAssetMax
  if (links.length <= most && (remove?.length ?? 0) <= most) return
  throw new Fault('pipeline_refused', `An asset has at most ${most} links.`)
}

/** Asks the modules of new links for their functions, each list once. */
export async function findFunctions(
  modules: Pick<DescribedFunctions, 'linkable'>,
  businessId: string,
  { links, revive }: FullChange,
): Promise<FindFunction> {
  const lists = new Map<string, Promise<readonly Insight[] | Fault>>()
  for (const spec of links) {
    if (spec.id != null && revive !== true) continue
    const key = listKey(spec)
    if (lists.has(key)) continue
    const asked = modules.linkable(businessId, spec.moduleId ?? '', spec.groupId ?? '')
    lists.set(key, asked.catch(toFault))
  }
  const found = new Map<string, readonly Insight[] | Fault>()
  for (const [key, list] of lists) found.set(key, await list)
  return (spec) => {
    const functions = found.get(listKey(spec)) ?? []
    if (functions instanceof Fault) throw functions
    const insight = functions.find(({ id }) => id === spec.functionId)
    if (insight !== undefined) return insight
    throw new Fault('not_found', `The module has no function "${spec.functionId ?? ''}".`)
  }
}

function listKey({ moduleId, groupId }: LinkSpec): string {
  return JSON.stringify([moduleId ?? '', groupId ?? ''])
}
