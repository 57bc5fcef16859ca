import type { Transaction } from '../../../foundation/database/index.ts'
import { invalid, invalidField } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { IdentityChange, ManyChange, ManyChanged } from '../bulk/schema.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import { refuseOrder, storeOrder } from '../rotation/reprovision.ts'
import { type IdentityFilters, type PageByName, readByName } from '../store/list.ts'
import type { Revocation } from '../store/revocations.ts'
import { upsertIdentities } from '../store/whitelist.ts'
import { type Status, statuses } from './identity.ts'
import { everything, makeFilters, unknownIdentity } from './records.ts'
import { removeIn } from './remove.ts'
import { defaultUntil, listRevocations } from './whitelist.ts'

/*
 * A change of many identities. A call takes those that match in the order of their names, which no
 * device changes by what it sends, so none is passed over or taken twice; the next call goes on
 * after the last name. Identities are locked before their status decides, so that what others
 * change meanwhile is seen, and one that was deleted does not come back.
 */

/** The statuses in which an identity takes a change; in others it stays as it is. */
const takenIn: Readonly<Record<IdentityChange, readonly Status[]>> = {
  lock: statuses.filter((status) => status !== 'locked'),
  unlock: ['locked'],
  reprovision: ['provisioned', 'devmode'],
  delete: statuses,
}

/** The connector whose identities are changed, and who does it. */
type Place = { readonly connector: Connector; readonly view: View }

type Writer = ProvisioningOptions & Pick<Credentials, 'revocations'>

/**
 * Changes identities, durable when this resolves; in one transaction, but for deletions, of which
 * one takes `deviceDeletionBatchMax`. If it fails, the same call may be made again.
 * @throws Fault `invalid_argument`, `reprovision_refused`.
 */
export async function changeMany(
  options: Writer,
  place: Place,
  input: ManyChange,
): Promise<ManyChanged> {
  const { change, dryRun = false, limit = provisioningLimits.deviceChangesMax } = input
  refuseOrder(place.connector, { reprovision: change === 'reprovision' })
  const filters = await makeSelection(options, place, input)
  const batchMax =
    change === 'delete' && !dryRun ? provisioningLimits.deviceDeletionBatchMax : limit
  const named = new Set(input.identities)
  let after = input.after ?? ''
  let [changed, looked, isLast] = [0, 0, false]
  while (!isLast && looked < limit) {
    const rowsMax = Math.min(batchMax, limit - looked)
    const batch = { after, rowsMax, isHeld: !dryRun }
    const done = await changeBatch(options, place.connector, change, filters, batch)
    for (const identity of done.looked) named.delete(identity)
    after = done.looked.at(-1) ?? after
    changed += done.changed
    looked += done.looked.length
    isLast = done.isLast
  }
  const { code, message } = unknownIdentity()
  const failed = [...named].map((identity) => ({ identity, code, message }))
  return { changed, skipped: looked - changed, failed, ...(!isLast && { next: after }) }
}

/** @throws Fault `invalid_argument`. */
async function makeSelection(
  { database, clock }: Writer,
  place: Place,
  { filter, identities, after, limit }: ManyChange,
): Promise<IdentityFilters> {
  if (filter !== undefined && identities !== undefined) {
    throw invalid('filter and identities contradict each other: one of them is given')
  }
  if (filter !== undefined) {
    // A variable that is empty by mistake would select all.
    if (filter.identity === '') throw invalidField('filter.identity', 'must not be empty')
    return makeFilters(database, place, clock.nowUs(), filter)
  }
  if (identities === undefined) {
    throw invalid('filter or identities must be given; a filter of {} selects all devices')
  }
  if (after !== undefined) throw invalidField('after', 'belongs to filter')
  if (limit !== undefined) throw invalidField('limit', 'belongs to filter')
  return { ...everything, view: place.view, names: identities }
}

/** The names that were looked at, in their order. */
type ChangedBatch = {
  readonly looked: readonly string[]
  readonly changed: number
  /** True if no other identity follows that matches. */
  readonly isLast: boolean
}

async function changeBatch(
  options: Writer,
  connector: Connector,
  change: IdentityChange,
  filters: IdentityFilters,
  page: PageByName,
): Promise<ChangedBatch> {
  const { database, clock, revocations } = options
  const { rowsMax } = page
  const { written, ...done } = await database.transaction(async (transaction) => {
    const more = { ...page, rowsMax: rowsMax + 1 }
    const found = await readByName(transaction, connector.id, clock.nowUs(), filters, more)
    const rows = found.slice(0, rowsMax)
    const taken = rows.filter(({ status }) => takenIn[change].includes(status))
    const names = taken.map(({ identity }) => identity)
    const isWritten = page.isHeld && names.length > 0
    const withdrawals = isWritten ? await write(options, transaction, connector, change, names) : []
    return {
      looked: rows.map(({ identity }) => identity),
      changed: names.length,
      isLast: found.length <= rowsMax,
      written: await revocations.writeIn(transaction, connector.id, withdrawals),
    }
  })
  revocations.publish(written)
  return done
}

/** Writes a change of identities that are locked. @returns the credentials that it withdraws. */
async function write(
  options: Writer,
  transaction: Transaction,
  connector: Connector,
  change: IdentityChange,
  identities: readonly string[],
): Promise<Revocation[]> {
  if (change === 'delete') return removeIn(options, transaction, connector, identities)
  const nowUs = options.clock.nowUs()
  const part = {
    locked: change === 'reprovision' ? undefined : change === 'lock',
    reprovision: change === 'reprovision' ? true : undefined,
  }
  const rows = await upsertIdentities(transaction, connector.id, nowUs, {
    ...part,
    identities,
    tags: undefined,
    activateUntil: undefined,
    defaultUntil: defaultUntil(nowUs),
  })
  await storeOrder(transaction, connector, identities, part)
  return listRevocations(rows, part)
}
