import type { Database, Transaction } from '../../../foundation/database/index.ts'
import { checkedName, Fault, limits, newUuid } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import { readsValues } from '../area.ts'
import { checkedSignal } from '../check.ts'
import { tooManySignals } from '../create.ts'
import type { AssetsOptions } from '../options.ts'
import type { Signals } from '../public.ts'
import { countChange, publishChange } from '../publish-change.ts'
import { heldAsset } from '../remove.ts'
import { endConditions } from '../store/conditions.ts'
import {
  addSignals,
  changeOutlet,
  dropSignal,
  signalCount,
  signalsOfAssets,
  signalsOfLinks,
  signalsWithIds,
  signalsWithLatest,
} from '../store/signals.ts'
import type { NewSignal, Signal } from '../types.ts'
import { moveSignal, presentSignal, requireSignal, updateSignal } from './change.ts'

export function createSignals(options: AssetsOptions): Signals {
  const { database } = options
  return {
    create: (view, assetId, signal, transaction) =>
      within(database, transaction, (held) => createSignal(options, held, view, assetId, signal)),
    get: (view, id) => requireSignal(database, view, id),
    some: (view, ids) => signalsWithIds(database, view, ids),
    ofAssets: (view, assetIds, queryable = database) => signalsOfAssets(queryable, view, assetIds),
    async withLatest(reader, assetIds) {
      if (readsValues(reader)) return signalsWithLatest(database, reader.view, assetIds)
      const found = await signalsOfAssets(database, reader.view, assetIds)
      return found.map((signal) => ({ signal, latest: null }))
    },
    ofLinks: (view, linkIds) => signalsOfLinks(database, view, linkIds),
    async setOutlet(transaction, view, id, outlet, name) {
      const checked = name === undefined ? undefined : checkedName(name)
      const { businessId } = await requireSignal(transaction, view, id)
      return presentSignal(await changeOutlet(transaction, businessId, id, outlet, checked), id)
    },
    update: (view, id, change, transaction) =>
      within(database, transaction, (held) => updateSignal(options, held, view, id, change)),
    move: (view, id, assetId, transaction) =>
      within(database, transaction, (held) => moveSignal(options, held, view, id, assetId)),
    remove: (view, id, transaction) =>
      within(database, transaction, (held) => removeSignal(options, held, view, id)),
  }
}

/** Runs work in the transaction of a caller, or in one of its own. */
export function within<Result>(
  database: Database,
  transaction: Transaction | undefined,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return transaction === undefined ? database.transaction(work) : work(transaction)
}

async function createSignal(
  options: AssetsOptions,
  transaction: Transaction,
  view: View,
  assetId: string,
  signal: NewSignal,
): Promise<Signal> {
  const { random, clock } = options
  const { businessId } = view
  const checked = checkedSignal(signal)
  await heldAsset(transaction, view, assetId)
  const count = await signalCount(transaction, businessId, assetId)
  if (count >= limits.signalsPerAssetMax) throw tooManySignals()
  const fresh = { ...checked, id: newUuid(random, clock.nowMs()), assetId, businessId }
  const [added] = await addSignals(transaction, [fresh])
  if (added === undefined) throw new Fault('internal', 'the signal was not stored')
  await countChange(options, transaction, [fresh])
  return added
}

async function removeSignal(
  options: AssetsOptions,
  transaction: Transaction,
  view: View,
  id: string,
): Promise<Signal> {
  const { businessId } = await requireSignal(transaction, view, id)
  const ts = options.clock.nowUs()
  const removed = presentSignal(await dropSignal(transaction, businessId, id, ts), id)
  await endConditions(transaction, businessId, id, { ts })
  publishChange(options, transaction, [removed])
  return removed
}
