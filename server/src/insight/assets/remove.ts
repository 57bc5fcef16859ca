import type { Queryable, Transaction } from '../../foundation/database/index.ts'
import { Fault, invalid } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import type { AssetsOptions } from './options.ts'
import { dropAsset, findAsset, holdAsset } from './store/assets.ts'
import { noteRemoved } from './store/signals.ts'
import type { Asset } from './types.ts'

/** Its values may be many: they are nobody's from now on, and `removeOld` removes them. */
export async function removeAsset(
  { activity, changes, clock }: AssetsOptions,
  transaction: Transaction,
  view: View,
  id: string,
): Promise<Asset> {
  const { businessId } = view
  const asset = await heldAsset(transaction, view, id)
  await noteRemoved(transaction, businessId, id, clock.nowUs())
  await dropAsset(transaction, businessId, id)
  await activity.assets.remove(transaction, businessId, id)
  changes.publish(transaction, businessId, 'assets', [asset.groupId])
  return asset
}

/** The asset, held until the transaction ends. @throws Fault `not_found`; one that is locked. */
export async function heldAsset(transaction: Transaction, view: View, id: string): Promise<Asset> {
  const asset = presentAsset(await holdAsset(transaction, view, id), id)
  if (asset.locked) throw invalid('the asset is locked')
  return asset
}

/** @throws Fault `not_found`. */
export async function requireAsset(queryable: Queryable, view: View, id: string): Promise<Asset> {
  return presentAsset(await findAsset(queryable, view, id), id)
}

export function presentAsset(asset: Asset | undefined, id: string): Asset {
  if (asset === undefined) throw absent(id)
  return asset
}

export function absent(assetId: string): Fault {
  return new Fault('not_found', `there is no asset ${assetId}`)
}
