import type { Transaction } from '../../../foundation/database/index.ts'
import { Fault, limits, newUuid } from '../../../foundation/kernel/index.ts'
import { checkedSignal } from '../check.ts'
import { tooManySignals } from '../create.ts'
import type { AssetsOptions } from '../options.ts'
import { countChange } from '../publish-change.ts'
import { absent } from '../remove.ts'
import {
  assetKey,
  type ChannelKeys,
  channelKeys,
  describeSignals,
  feederKey,
  holdAssets,
  signalCounts,
} from '../store/channels.ts'
import { addSignals } from '../store/signals.ts'
import type {
  ChannelDescription,
  ChannelSpec,
  DeviceRef,
  Signal,
  SyncedChannels,
} from '../types.ts'
import { pickDisplay } from './display.ts'

const alias = 'data_in'

/** The state of the assets of several descriptions, read once for all of them. */
type Present = {
  /** The device of each asset, by `assetKey`. */
  readonly devices: ReadonlyMap<string, DeviceRef | null>
  readonly counts: ReadonlyMap<string, number>
  readonly keys: ChannelKeys
}

/** The changes that one description asks for. */
type Change = {
  readonly fresh: readonly Omit<Signal, 'key'>[]
  readonly known: readonly (ChannelSpec & { readonly key: number })[]
}

/**
 * The assets are held, so that two descriptions that arrive at once make each signal once. A
 * description that cannot be followed changes nothing; the others are followed.
 */
export async function syncChannels(
  options: AssetsOptions,
  transaction: Transaction,
  descriptions: readonly ChannelDescription[],
): Promise<(SyncedChannels | Fault)[]> {
  const present = await holdPresent(transaction, descriptions)
  const changes = descriptions.map((description) => {
    return planChange(options, present, description)
  })
  const followed = changes.filter((change): change is Change => !(change instanceof Fault))
  const added = await addSignals(
    transaction,
    followed.flatMap(({ fresh }) => fresh),
  )
  const created = new Map(added.map((signal) => [signal.id, signal]))
  const updated = await describeSignals(
    transaction,
    descriptions,
    followed.flatMap(({ known }) => known),
  )
  const results = changes.map((change) => toResult(change, created, updated))
  const changed = descriptions.filter((_, at) => isChange(results[at]))
  await countChange(options, transaction, changed)
  return results
}

async function holdPresent(
  transaction: Transaction,
  descriptions: readonly ChannelDescription[],
): Promise<Present> {
  const devices = await holdAssets(transaction, descriptions)
  const keys = await channelKeys(transaction, descriptions, alias)
  return { devices, keys, counts: await signalCounts(transaction, descriptions) }
}

/** Returns the Fault for which a description cannot be followed. */
function planChange(
  options: Pick<AssetsOptions, 'random' | 'clock'>,
  present: Present,
  description: ChannelDescription,
): Change | Fault {
  const { businessId, assetId, channels } = description
  const device = present.devices.get(assetKey(description))
  if (device === undefined) return absent(assetId)
  const feeding = isSame(device, description.device) ? null : description.device
  const keys = present.keys.get(feederKey(description, feeding))
  const missing = channels.filter(({ channel }) => !keys?.has(channel))
  const count = present.counts.get(assetKey(description)) ?? 0
  if (count + missing.length > limits.signalsPerAssetMax) return tooManySignals()
  try {
    const fresh = missing.map((channel) => ({
      ...checkedSignal({
        ...channel,
        display: pickDisplay(channel),
        source: makeSource(channel, feeding),
      }),
      id: newUuid(options.random, options.clock.nowMs()),
      assetId,
      businessId,
    }))
    const known = channels.flatMap((channel) => {
      const key = keys?.get(channel.channel)
      return key === undefined ? [] : [{ ...channel, key }]
    })
    return { fresh, known }
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

function isSame(own: DeviceRef | null, { connectorId, identity }: DeviceRef): boolean {
  return own?.connectorId === connectorId && own.identity === identity
}

function makeSource({ channel }: ChannelSpec, feeding: DeviceRef | null) {
  return feeding === null ? { alias, channel } : { alias, channel, device: feeding }
}

function toResult(
  change: Change | Fault,
  created: ReadonlyMap<string, Signal>,
  updated: ReadonlySet<number>,
): SyncedChannels | Fault {
  if (change instanceof Fault) return change
  return {
    created: change.fresh.flatMap(({ id }) => created.get(id) ?? []),
    updated: change.known.filter(({ key }) => updated.has(key)).length,
  }
}

function isChange(result: SyncedChannels | Fault | undefined): boolean {
  if (result === undefined || result instanceof Fault) return false
  return result.created.length + result.updated > 0
}
