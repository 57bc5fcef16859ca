import type { Transaction } from '../../foundation/database/index.ts'
import {
  checkedDescription,
  checkedName,
  Fault,
  invalid,
  limits,
  newUuid,
} from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import { checkedDevice, checkedLocation, checkedMeta, checkedSignal, checkedWord } from './check.ts'
import { parseConfigIo } from './config-io.ts'
import { log } from './log.ts'
import type { AssetsOptions } from './options.ts'
import { pickDisplay } from './signals/display.ts'
import { addAsset, assetsOfDevices } from './store/assets.ts'
import { addSignals } from './store/signals.ts'
import type { Asset, DeviceRef, NewAsset, NewSignal } from './types.ts'

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
  const described = withChannels(asset)
  const signals = described.signals.map(checkedSignal)
  if (signals.length > limits.signalsPerAssetMax) throw tooManySignals()
  const group = await options.groups.hold(transaction, view, asset.groupId)
  if (asset.configIo != null) await refuseTaken(transaction, view, device)

  const { businessId } = view
  const nowMs = options.clock.nowMs()
  const id = newUuid(options.random, nowMs)
  const place = { id, businessId, groupId: group.id, createdAt: options.clock.nowUs() }
  const { templateId = null } = asset
  const words = { name, description, device, meta, assetType, templateId }
  const made = { ...place, ...words, location: fixedLocation(asset), locked: false }
  await addAsset(transaction, made)
  const ids = { businessId, assetId: id }
  const added = signals.map((signal) => {
    return { ...signal, ...ids, id: newUuid(options.random, nowMs) }
  })
  await addSignals(transaction, added)
  options.changes.publish(transaction, businessId, 'assets', [group.id])
  for (const complaint of described.complaints) {
    const line = { severity: 'warning', text: `config_io: ${complaint}` } as const
    await log(options, transaction, businessId, id, line)
  }
  return made
}

/** The signals that are given, and those of channels that none of them takes. */
function withChannels({ signals, configIo }: NewAsset): {
  readonly signals: readonly NewSignal[]
  readonly complaints: readonly string[]
} {
  const given = signals ?? []
  if (configIo == null) return { signals: given, complaints: [] }
  const config = parseConfigIo(configIo)
  if ('error' in config) throw invalid(config.error)
  const alias = 'data_in'
  const taken = new Set(
    given.flatMap(({ source }) =>
      source != null && 'alias' in source && source.alias === alias ? [source.channel] : [],
    ),
  )
  const missing = config.channels.filter(({ channel }) => !taken.has(channel))
  const made = missing.map((spec) => {
    const { channel, ...signal } = spec
    return { ...signal, display: pickDisplay(spec), source: { alias, channel } }
  })
  return { signals: [...given, ...made], complaints: config.complaints }
}

/** The device's channels are followed in one asset only. */
async function refuseTaken(
  transaction: Transaction,
  { businessId }: View,
  device: DeviceRef | null,
): Promise<void> {
  if (device === null) throw invalid('an asset with channels of its device has a device')
  const found = await assetsOfDevices(transaction, [{ businessId, ...device }])
  if (found.size === 0) return
  throw new Fault('already_exists', 'The device already has an asset.')
}

function fixedLocation({ location }: NewAsset): Asset['location'] {
  if (location == null) return null
  if ('signalId' in location) throw invalid('a new asset has no signal that could be its location')
  return checkedLocation(location)
}

export function tooManySignals() {
  return invalid(`an asset has at most ${limits.signalsPerAssetMax} signals`)
}
