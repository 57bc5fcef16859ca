import type { Queryable, Transaction } from '../../../foundation/database/index.ts'
import { Fault, invalid, limits } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import { checkedSignal } from '../check.ts'
import { tooManySignals } from '../create.ts'
import type { AssetsOptions } from '../options.ts'
import { publishChange } from '../publish-change.ts'
import { heldAsset } from '../remove.ts'
import { changeSignal } from '../store/change-signal.ts'
import { endConditions } from '../store/conditions.ts'
import { signalCount, signalsWithIds } from '../store/signals.ts'
import type { Asset, Signal, SignalChange } from '../types.ts'

/** Changes a signal of an asset that is not locked. Fields that are left out stay. */
export async function updateSignal(
  options: AssetsOptions,
  transaction: Transaction,
  view: View,
  id: string,
  change: SignalChange,
): Promise<Signal> {
  const { assetId } = await requireSignal(transaction, view, id)
  await heldAsset(transaction, view, assetId)
  const signal = await requireSignal(transaction, view, id)
  const changed = changedSignal(signal, change)
  await changeSignal(transaction, changed)
  publishChange(options, transaction, [changed])
  return changed
}

/** The signal as it will be. Pure. @throws Fault `invalid_argument`. */
export function changedSignal(signal: Signal, { name, ...change }: SignalChange): Signal {
  const isComputed = signal.source !== null && 'linkId' in signal.source
  if (isComputed && change.source !== undefined) {
    throw invalid('a function feeds the signal: unlink it first')
  }
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const display = { ...signal.display, ...change.display }
  const rest = { ...Object.fromEntries(given), display, ...(name != null && { name }) }
  return { ...signal, ...checkedSignal({ ...signal, ...rest }) }
}

/**
 * Gives a signal to another asset, with its history. Channels that the asset's own device fed are
 * fed by that device by name from then on. Nothing says any more that it is silent until that is
 * found again.
 */
export async function moveSignal(
  options: AssetsOptions,
  transaction: Transaction,
  view: View,
  id: string,
  assetId: string,
): Promise<Signal> {
  const { businessId } = view
  const { assetId: fromId } = await requireSignal(transaction, view, id)
  // In one order, so that two moves never wait for each other.
  const held = new Map<string, Asset>()
  for (const one of [fromId, assetId].sort()) held.set(one, await heldAsset(transaction, view, one))
  const signal = await requireSignal(transaction, view, id)
  const [from, to] = [held.get(signal.assetId), held.get(assetId)]
  if (from === undefined || to === undefined)
    throw new Fault('in_use', 'The signal is being moved.')
  publishChange(options, transaction, [signal, { businessId, assetId }])
  if (from === to) return signal
  const { location } = from
  if (location !== null && 'signalId' in location && location.signalId === id) {
    throw new Fault('in_use', `The signal is the location of the asset "${from.name}".`)
  }
  const count = await signalCount(transaction, businessId, assetId)
  if (count >= limits.signalsPerAssetMax) throw tooManySignals()
  const moved = { ...signal, assetId, source: sourceIn(signal, from) }
  await changeSignal(transaction, moved)
  await endConditions(transaction, businessId, id, { ts: options.clock.nowUs() })
  return moved
}

/** The source with the device by name. @throws Fault `in_use` for an outlet. */
function sourceIn({ source }: Signal, { device }: Asset): Signal['source'] {
  if (source === null) return null
  if ('linkId' in source) throw new Fault('in_use', 'A function feeds the signal.')
  return source.device !== undefined || device === null ? source : { ...source, device }
}

/** @throws Fault `not_found`. */
export async function requireSignal(queryable: Queryable, view: View, id: string): Promise<Signal> {
  const [signal] = await signalsWithIds(queryable, view, [id])
  return presentSignal(signal, id)
}

/** @throws Fault `not_found` where there is none. */
export function presentSignal(signal: Signal | undefined, id: string): Signal {
  if (signal === undefined) throw new Fault('not_found', `there is no signal ${id}`)
  return signal
}
