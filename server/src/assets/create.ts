import type { Transaction } from '../database/index.ts'
import type { View } from '../groups/index.ts'
import { checkedDescription, checkedName, invalid, limits, newUuid } from '../kernel/index.ts'
import { checkedDevice, checkedMeta, checkedSignal, checkedWord } from './check.ts'
import { addAsset } from './store/assets.ts'
import { addSignals } from './store/signals.ts'
import type { Asset, AssetsOptions, NewAsset } from './types.ts'

/** An asset with its first signals, or nothing at all. */
export async function createAsset(
  options: AssetsOptions,
  transaction: Transaction,
  view: View,
  asset: NewAsset,
): Promise<Asset> {
  const name = checkedName(asset.name)
  const description = checkedDescription(asset.description)
  const device = asset.device ? checkedDevice(asset.device) : null
  const meta = checkedMeta(asset.meta ?? {})
  const assetType = checkedWord(asset.assetType, 'assetType')
  const signals = (asset.signals ?? []).map(checkedSignal)
  if (signals.length > limits.signalsPerAssetMax) throw tooManySignals()
  const group = await options.groups.hold(transaction, view, asset.groupId)

  const { businessId } = view
  const nowMs = options.clock.nowMs()
  const id = newUuid(options.random, nowMs)
  const place = { id, businessId, groupId: group.id, createdAt: options.clock.nowUs() }
  const described = { name, description, device, meta, assetType }
  const made = { ...place, ...described, location: null, locked: false }
  await addAsset(transaction, made)
  const ids = { businessId, assetId: id }
  const added = signals.map((signal) => {
    return { ...signal, ...ids, id: newUuid(options.random, nowMs) }
  })
  await addSignals(transaction, added)
  return made
}

export function tooManySignals() {
  return invalid(`an asset has at most ${limits.signalsPerAssetMax} signals`)
}
