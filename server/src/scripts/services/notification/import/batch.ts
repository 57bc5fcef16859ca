import type { Transaction } from '../../../../foundation/database/index.ts'
import { limits } from '../../../../foundation/kernel/index.ts'
import type { ActionOptions, Where } from '../actions.ts'
import type { Binding } from '../bindings/binding.ts'
import { rebound } from '../delivery/job.ts'
import { newBindingSid } from '../ids.ts'
import type { NotificationOptions } from '../options.ts'
import type { BindingImport, BindingImported } from '../schema.ts'
import { parseSid } from '../sending/arguments.ts'
import { countBindings, lockSolution } from '../store/bindings.ts'
import { readExisting, upsertBindings } from '../store/imports.ts'
import { type Move, moveJobs } from '../store/waiting-jobs.ts'
import { type Imported, parseImported, toReason } from './binding.ts'

/**
 * Takes at most `notificationImportBatchMax` rows, in one transaction.
 * @throws Fault invalid_argument where no row can be right.
 */
export type ImportBindings = (where: Where, asked: BindingImport) => Promise<BindingImported>

type Failed = BindingImported['failed'][number]
type Placed = { readonly row: number; readonly binding: Imported }

type ImportOptions = Pick<NotificationOptions, 'database' | 'clock' | 'random'> &
  Pick<ActionOptions, 'invalidateBindings'>

export function createImport(options: ImportOptions): ImportBindings {
  const { database, clock, random, invalidateBindings } = options
  const newSid = () => newBindingSid(random)
  return async (where, { bindings: rows, serviceSid: said, dryRun = false }) => {
    const serviceSid = said === undefined ? undefined : parseSid('ServiceSid', said)
    const { good, failed } = readRows(rows, { serviceSid, newSid, nowUs: clock.nowUs() })
    const last = new Map(good.map((one) => [endpointKey(one.binding), one]))
    const wanted = [...last.values()]
    const replaced: string[] = []
    const answer = await database.transaction(async (transaction) => {
      replaced.length = 0
      const held = await lockSolution(transaction, where.solutionId)
      const existing = await readExisting(transaction, where.solutionId, wanted.map(toBinding))
      const plan = makePlan(wanted, existing, newSid)
      const { fitting, refused } = fit(plan.added, limits.notificationBindingsMax - held)
      const all = [...failed, ...refused].sort((a, b) => a.row - b.row)
      const counts = { added: fitting.length, changed: plan.changed.length }
      const unchanged = good.length - counts.added - counts.changed - refused.length
      if (!dryRun) {
        await write(transaction, where, [...fitting, ...plan.changed])
        const { solutionId } = where
        await moveJobs(transaction, solutionId, plan.moves, rebound(clock.nowUs()))
        replaced.push(...plan.moves.map(({ from }) => from))
      }
      return { ...counts, unchanged, failed: all }
    })
    if (replaced.length > 0) invalidateBindings(where.solutionId, replaced)
    return answer
  }
}

const toBinding = ({ binding }: Placed) => binding

function readRows(rows: readonly unknown[], rules: Parameters<typeof parseImported>[1]) {
  const good: Placed[] = []
  const failed: Failed[] = []
  for (const [row, value] of rows.entries()) {
    try {
      good.push({ row, binding: parseImported(value, rules) })
    } catch (error) {
      failed.push({ row, reason: toReason(error) })
    }
  }
  return { good, failed }
}

/** If rows have one endpoint, the last one counts. */
function endpointKey({ serviceSid, endpoint }: Pick<Binding, 'serviceSid' | 'endpoint'>): string {
  return `${serviceSid} ${endpoint}`
}

/** A sid that another binding has is not taken from it. */
function makePlan(wanted: readonly Placed[], existing: readonly Binding[], newSid: () => string) {
  const known = new Map(existing.map((one) => [endpointKey(one), one]))
  const taken = new Map(existing.map((one) => [one.sid, endpointKey(one)]))
  const added: Placed[] = []
  const changed: Placed[] = []
  const moves: Move[] = []
  for (const { row, binding } of wanted) {
    const key = endpointKey(binding)
    const before = known.get(key)
    if (before !== undefined && (isSame(before, binding) || before.updatedAt > binding.updatedAt))
      continue
    const free = (taken.get(binding.sid) ?? key) === key
    const sid = free ? binding.sid : newSid()
    taken.set(sid, key)
    const list = before === undefined ? added : changed
    list.push({ row, binding: { ...binding, sid } })
    if (before !== undefined) moves.push({ from: before.sid, to: { ...binding, sid } })
  }
  return { added, changed, moves }
}

function isSame(one: Binding, other: Imported): boolean {
  const toText = ({ identity, channel, address, tags, credentialSid, protocolVersion }: Imported) =>
    JSON.stringify([identity, channel, address, tags, credentialSid, protocolVersion])
  return toText(one) === toText(other)
}

function fit(added: readonly Placed[], room: number) {
  const reason = `a solution has at most ${limits.notificationBindingsMax} bindings`
  const refused = added.slice(Math.max(0, room)).map(({ row }) => ({ row, reason }))
  return { fitting: added.slice(0, Math.max(0, room)), refused }
}

async function write(
  transaction: Transaction,
  where: Where,
  placed: readonly Placed[],
): Promise<void> {
  if (placed.length === 0) return
  const added = await upsertBindings(transaction, where, placed.map(toBinding))
  await countBindings(transaction, where.solutionId, added)
}
