import type { Assets } from '../../assets/index.ts'
import type { Database } from '../../database/index.ts'
import type { View } from '../../groups/index.ts'
import { builtinId } from '../builtin/registry.ts'
import { readLinks } from '../store.ts'
import { Problems } from './problems.ts'
import type { FullChange } from './types.ts'

type DevicesOptions = {
  readonly database: Database
  readonly assets: Pick<Assets, 'ofDevices' | 'some'>
}

/**
 * An action sets resources of those devices only whose assets its author sees; one that was set
 * before may stay. Who sees all of the business may name any device.
 * @throws Fault pipeline_refused
 */
export async function checkDevices(
  { database, assets }: DevicesOptions,
  view: View,
  assetId: string,
  { links }: FullChange,
): Promise<void> {
  if (view.groups === 'all') return
  const { businessId } = view
  const problems = new Problems()
  const before = new Map(
    (await readLinks(database, businessId, [assetId])).map((link) => [link.id, link]),
  )
  for (const [at, spec] of links.entries()) {
    const stored = before.get(spec.id ?? '')
    const { moduleId, functionId } = stored ?? spec
    if (moduleId !== builtinId || functionId !== 'set_resource') continue
    if (spec.constants == null) continue
    const { connector, identity } = spec.constants
    if (typeof connector !== 'string' || typeof identity !== 'string' || identity === '') continue
    const was = stored?.constants
    if (was?.connector === connector && was.identity === identity) continue
    const [asset] = await assets.ofDevices([{ businessId, connectorId: connector, identity }])
    const seen = asset === undefined ? [] : await assets.some(view, [asset.id])
    if (seen.length > 0) continue
    const place = `/links/${at}/constants/identity`
    problems.add(place, 'There is no such device among your assets.', 'not_found')
  }
  problems.refuse()
}
