import type { Assets } from '../assets/index.ts'
import type { Transaction } from '../database/index.ts'
import type { EventLog } from '../eventlog/index.ts'
import type { Notes } from './notes.ts'
import { type Effects, noteOf } from './run.ts'
import { holdLinks } from './store.ts'

export type StoreEffectsOptions = {
  readonly eventlog: Pick<EventLog, 'countStatement'>
  readonly assets: Assets
  readonly notes: Notes
}

/** The effects of a run; `part`: where the ledger counts its calls. */
export type PartEffects = { readonly part: number; readonly effects: Effects }

const callsStage = 'functions.calls'

/** Stores what runs of links resulted in, in their order, and counts their calls. */
export async function storeEffects(
  { eventlog, assets, notes }: StoreEffectsOptions,
  transaction: Transaction,
  ran: readonly PartEffects[],
): Promise<void> {
  const all = ran.map(({ effects }) => effects)
  const values = all.flatMap((one) => one.values)
  if (values.length > 0) await assets.writeValues(transaction, values)
  await storeStatuses(assets, transaction, all)
  await notes.write(
    transaction,
    all.flatMap((one) => [...one.notes, ...one.failed.map(lineOf)]),
  )
  const counts = countsOf(ran)
  if (counts.length === 0) return
  const { text, values: counted } = eventlog.countStatement(callsStage, counts)
  await transaction.run(text, counted)
}

function lineOf({ link, fault }: Effects['failed'][number]) {
  return noteOf(link, 'error', fault.detail)
}

/** The counts of the calls, each part once. */
function countsOf(ran: readonly PartEffects[]) {
  const called = ran.filter(({ effects }) => effects.calls > 0)
  return [...Map.groupBy(called, ({ part }) => part)].map(([part, those]) => {
    const taken = those.reduce((sum, { effects }) => sum + effects.calls, 0)
    const failed = those.reduce((sum, { effects }) => sum + effects.failed.length, 0)
    return { part, taken, done: taken - failed, failed }
  })
}

/** A status that says the same level as the one before it in the batch would change nothing. */
async function storeStatuses(
  assets: Assets,
  transaction: Transaction,
  effects: readonly Effects[],
): Promise<void> {
  const all = effects.flatMap((one) => one.statuses)
  if (all.length === 0) return
  const byBusiness = Map.groupBy(all, ({ link }) => link.businessId)
  const there = new Set<string>()
  for (const [businessId, those] of byBusiness) {
    const ids = [...new Set(those.map(({ link }) => link.id))]
    for (const id of await holdLinks(transaction, businessId, ids)) there.add(id)
  }
  const levels = new Map<string, number>()
  for (const { link, status } of all) {
    if (!there.has(link.id) || levels.get(link.id) === status.level) continue
    levels.set(link.id, status.level)
    await assets.setStatus(transaction, link.businessId, link.assetId, link.id, status)
  }
}
