import type { Statement, Transaction } from '../../foundation/database/index.ts'
import type { Clock } from '../../foundation/kernel/index.ts'
import type { EventLog } from '../../log/eventlog/index.ts'
import type { NewJob } from '../../log/jobs/index.ts'
import type { Assets } from '../assets/index.ts'
import type { Notes } from './notes.ts'
import { type Effects, makeNote, type StatusEffect } from './run.ts'
import { actionJob, type RunInput } from './runs/run-input.ts'
import { holdLinks, writeStates } from './store.ts'
import { recordStatements, type TracedRun } from './trace/record.ts'

export type StoreEffectsOptions = {
  readonly eventlog: Pick<EventLog, 'countStatement'>
  readonly assets: Assets
  readonly notes: Notes
  readonly clock: Clock
}

type StoredEffects = {
  readonly jobs: readonly NewJob<RunInput>[]
  /** Statements to be run last: nothing depends on their answers. */
  readonly last: readonly Statement[]
}

const callsStage = 'functions.calls'

/**
 * Stores what runs of links resulted in, in their order.
 * @returns for the same transaction: the jobs of the actions of which the status changed its level,
 * and the statements that record the runs and count the calls.
 */
export async function storeEffects(
  { eventlog, assets, notes, clock }: StoreEffectsOptions,
  transaction: Transaction,
  ran: readonly TracedRun[],
): Promise<StoredEffects> {
  const all = ran.map(({ effects }) => effects)
  const values = all.flatMap((one) => one.values)
  if (values.length > 0) await assets.writeValues(transaction, values)
  await storeStates(transaction, all)
  const jobs = await storeStatuses(assets, transaction, ran)
  await notes.write(
    transaction,
    all.flatMap((one) => [...one.notes, ...one.failed.map(toLine)]),
  )
  const counts = countCalls(ran)
  const counted = counts.length === 0 ? [] : [eventlog.countStatement(callsStage, counts)]
  return { jobs, last: [...recordStatements(ran, clock), ...counted] }
}

function toLine({ link, fault }: Effects['failed'][number]) {
  return makeNote(link, 'error', fault.detail)
}

/** The counts of the calls, each part once. */
function countCalls(ran: readonly TracedRun[]) {
  const called = ran.filter(({ effects }) => effects.calls > 0)
  return [...Map.groupBy(called, ({ part }) => part)].map(([part, those]) => {
    const taken = those.reduce((sum, { effects }) => sum + effects.calls, 0)
    const failed = those.reduce((sum, { effects }) => sum + effects.failed.length, 0)
    return { part, taken, done: taken - failed, failed }
  })
}

/** Stores the newest state of each link. */
async function storeStates(transaction: Transaction, effects: readonly Effects[]): Promise<void> {
  const states = new Map(effects.flatMap(({ states }) => (states === undefined ? [] : [...states])))
  if (states.size === 0) return
  await writeStates(
    transaction,
    [...states.values()].map(({ link: { businessId, id }, state }) => {
      return { businessId, linkId: id, state: JSON.stringify(state) }
    }),
  )
}

/** A status with the run that it is of. */
type RunStatus = { readonly effect: StatusEffect; readonly run: TracedRun }

async function storeStatuses(
  assets: Assets,
  transaction: Transaction,
  ran: readonly TracedRun[],
): Promise<NewJob<RunInput>[]> {
  const changing = changingStatuses(ran)
  if (changing.length === 0) return []
  const there = await heldRules(transaction, changing)
  const news = changing.filter(({ effect }) => there.has(effect.link.id))
  const statuses = news.map(({ effect: { link, status } }) => {
    const { businessId, assetId, id } = link
    return { businessId, assetId, ruleId: id, ...status }
  })
  const results = await assets.setStatuses(transaction, statuses)
  return news.flatMap(({ effect, run }, at) => {
    const { actions } = effect.link
    if (actions.length === 0 || results[at]?.changed !== true) return []
    const { part, entry } = run
    const causes = run.causes ?? (entry === undefined ? undefined : [entry.seq])
    return actions.map((action) => actionJob(action, effect, { part, causes }))
  })
}

/** A status that says the same level as the one before it in the batch would change nothing. */
function changingStatuses(ran: readonly TracedRun[]): RunStatus[] {
  const levels = new Map<string, number>()
  const changing: RunStatus[] = []
  for (const run of ran) {
    for (const effect of run.effects.statuses) {
      const { link, status } = effect
      if (levels.get(link.id) === status.level) continue
      levels.set(link.id, status.level)
      changing.push({ effect, run })
    }
  }
  return changing
}

/** The ids of those rules that are still there. */
async function heldRules(
  transaction: Transaction,
  statuses: readonly RunStatus[],
): Promise<ReadonlySet<string>> {
  const links = new Map(statuses.map(({ effect: { link } }) => [link.id, link]))
  const there = new Set<string>()
  for (const [businessId, those] of Map.groupBy(links.values(), (link) => link.businessId)) {
    const ids = those.map(({ id }) => id)
    for (const id of await holdLinks(transaction, businessId, ids)) there.add(id)
  }
  return there
}
