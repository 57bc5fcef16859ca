import type { Transaction } from '../../foundation/database/index.ts'
import { checkedDescription, checkedName, invalid } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import { checkedDevice, checkedLocation, checkedMeta, checkedWord } from './check.ts'
import type { AssetsOptions } from './options.ts'
import { presentAsset } from './remove.ts'
import { changeAsset, holdAsset } from './store/assets.ts'
import { signalsWithIds } from './store/signals.ts'
import type { Asset, AssetChange, AssetLocation } from './types.ts'

/** Changes an asset, or moves it to another group. A locked one is unlocked first, or with it. */
export async function updateAsset(
  { groups, changes }: AssetsOptions,
  transaction: Transaction,
  view: View,
  id: string,
  change: AssetChange,
): Promise<Asset> {
  const asset = presentAsset(await holdAsset(transaction, view, id), id)
  if (asset.locked && change.locked !== false) throw invalid('the asset is locked')
  const { groupId } = change
  const group = groupId == null ? undefined : await groups.hold(transaction, view, groupId)
  const changed = {
    ...asset,
    ...describedBy(asset, change),
    groupId: group?.id ?? asset.groupId,
    location: await resolveLocation(transaction, view, asset, change.location),
    locked: change.locked ?? asset.locked,
  }
  await changeAsset(transaction, changed)
  // A moved asset is published in its old group and in its new one.
  changes.publish(transaction, view.businessId, 'assets', [asset.groupId, changed.groupId])
  return changed
}

function describedBy(asset: Asset, { name, description, device, meta, assetType }: AssetChange) {
  return {
    name: name == null ? asset.name : checkedName(name),
    description: description === undefined ? asset.description : checkedDescription(description),
    device: device === undefined ? asset.device : device && checkedDevice(device),
    meta: meta === undefined ? asset.meta : checkedMeta(meta ?? {}),
    assetType: assetType === undefined ? asset.assetType : checkedWord(assetType, 'assetType'),
  }
}

async function resolveLocation(
  transaction: Transaction,
  view: View,
  asset: Asset,
  location: AssetLocation | null | undefined,
): Promise<AssetLocation | null> {
  if (location == null) return location === undefined ? asset.location : null
  const checked = checkedLocation(location)
  if (!('signalId' in checked)) return checked
  const [signal] = await signalsWithIds(transaction, view, [checked.signalId])
  if (signal?.assetId !== asset.id) throw invalid(`the asset has no signal ${checked.signalId}`)
  return checked
}
