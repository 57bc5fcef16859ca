import type { Transaction } from '../database/index.ts'
import { newId } from '../kernel/index.ts'
import { checkedSignal } from './check.ts'
import { heldAsset } from './remove.ts'
import { refuseSurplus } from './signals.ts'
import { addSignals, channelKeys, describeSignals } from './store/signals.ts'
import type { Asset, AssetsOptions, ChannelSpec, DeviceRef, Signal } from './types.ts'

const alias = 'data_in'

/** The asset is held, so that two descriptions that arrive at once make each signal once. */
export async function syncChannels(
  { random }: AssetsOptions,
  transaction: Transaction,
  businessId: string,
  assetId: string,
  device: DeviceRef,
  channels: readonly ChannelSpec[],
): Promise<{ created: Signal[]; updated: number }> {
  const asset = await heldAsset(transaction, businessId, assetId)
  const feeding = isOwnDevice(asset, device) ? null : device
  const keys = await channelKeys(transaction, businessId, assetId, alias, feeding)
  const missing = channels.filter((channel) => !keys.has(channel.channel))
  await refuseSurplus(transaction, businessId, assetId, missing.length)

  const fresh = missing.map((channel) => ({
    ...checkedSignal({ ...channel, source: sourceOf(channel, feeding) }),
    id: newId(random),
    assetId,
    businessId,
  }))
  const created = await addSignals(transaction, businessId, assetId, fresh)
  const known = channels.flatMap((channel) => {
    const key = keys.get(channel.channel)
    return key === undefined ? [] : [{ ...channel, key }]
  })
  const updated = await describeSignals(transaction, businessId, assetId, known)
  return { created, updated }
}

function isOwnDevice(asset: Asset, { connectorId, identity }: DeviceRef): boolean {
  return asset.device?.connectorId === connectorId && asset.device.identity === identity
}

function sourceOf({ channel }: ChannelSpec, feeding: DeviceRef | null) {
  return feeding === null ? { alias, channel } : { alias, channel, device: feeding }
}
