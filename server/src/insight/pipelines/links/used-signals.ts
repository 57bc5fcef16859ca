import type { Transaction } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Assets, Signal, SignalChange } from '../../assets/index.ts'
import { withOutlets } from '../document/document.ts'
import { readLinks } from '../store.ts'
import type { Link } from '../types.ts'
import { assertStatus, checkInlet } from './signals.ts'

type SignalsOptions = { readonly assets: Pick<Assets, 'hold' | 'signals'> }

/** Removes a signal that no link uses. */
export async function removeSignal(
  { assets }: SignalsOptions,
  transaction: Transaction,
  view: View,
  signalId: string,
): Promise<Signal> {
  const { links } = await holdSignal(assets, transaction, view, signalId)
  const user = links.find((link) => uses(link, signalId))
  if (user !== undefined) {
    throw new Fault('invalid_argument', `The link "${user.name}" uses the signal.`)
  }
  return assets.signals.remove(view, signalId, transaction)
}

/** Gives a signal that no link uses to another asset. */
export async function moveSignal(
  { assets }: SignalsOptions,
  transaction: Transaction,
  view: View,
  signalId: string,
  assetId: string,
): Promise<Signal> {
  const { assetId: fromId } = await assets.signals.get(view, signalId)
  // In one order, so that two moves never wait for each other.
  for (const id of [fromId, assetId].sort()) await assets.hold(transaction, view, id)
  const { links } = await holdSignal(assets, transaction, view, signalId)
  const user = links.find((link) => uses(link, signalId))
  if (user !== undefined) throw new Fault('in_use', `The link "${user.name}" uses the signal.`)
  return assets.signals.move(view, signalId, assetId, transaction)
}

/** Changes a signal in such a way that all links that take it may go on. */
export async function updateSignal(
  { assets }: SignalsOptions,
  transaction: Transaction,
  view: View,
  signalId: string,
  change: SignalChange,
): Promise<Signal> {
  const { links, signals } = await holdSignal(assets, transaction, view, signalId)
  const changed = await assets.signals.update(view, signalId, change, transaction)
  const ports = new Map(signals.map((signal) => [signal.id, signal]))
  ports.set(signalId, changed)
  for (const { insight, inlets, name } of links) {
    if (!inlets.includes(signalId)) continue
    try {
      for (const [at, id] of inlets.entries()) {
        if (id === signalId) checkInlet(insight, at, changed)
      }
      assertStatus(
        insight,
        inlets.flatMap((id) => ports.get(id) ?? []),
      )
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      throw new Fault('invalid_argument', `The link "${name}" uses the signal. ${error.detail}`)
    }
  }
  return changed
}

/** The links and the signals of a signal's asset, which nobody else changes meanwhile. */
async function holdSignal(
  assets: SignalsOptions['assets'],
  transaction: Transaction,
  view: View,
  signalId: string,
): Promise<{ readonly links: readonly Link[]; readonly signals: readonly Signal[] }> {
  const { assetId } = await assets.signals.get(view, signalId)
  await assets.hold(transaction, view, assetId)
  const signals = await assets.signals.ofAssets(view, [assetId], transaction)
  const links = withOutlets(await readLinks(transaction, view.businessId, [assetId]), signals)
  return { links, signals }
}

function uses({ inlets, outlets }: Link, signalId: string): boolean {
  return inlets.includes(signalId) || outlets.includes(signalId)
}
