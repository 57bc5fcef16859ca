import { type Transaction, waitedTooLong } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import { connectorFull } from '../connectors/population.ts'
import type { ProvisioningOptions, ProvisioningQuotas } from '../options.ts'
import { resetValues } from '../rotation/reprovision.ts'
import {
  type LockedRows,
  type ProvisionedRow,
  provisionIdentities,
  waitAtMost,
} from '../store/activations.ts'
import { countAdded } from '../store/population.ts'
import { type Activation, deviceKey, makeStep } from './activation.ts'
import { initialValueEntries, provisionedEntry } from './entries.ts'
import { explain } from './explain.ts'
import type { RegistrationResults, Registrations } from './registrations.ts'

/** The time for which such an activation waits; then it receives 503. */
const activationBlockedMsMax = 2_000

/** The outcome of an activation; `again`: it may succeed on another try, the row was locked. */
export type ActivationOutcome = 'provisioned' | 'again' | Fault

export type ProvisionOptions = Pick<
  ProvisioningOptions,
  'database' | 'eventlog' | 'clock' | 'quotas'
> & {
  readonly registrations: Registrations
}

/**
 * Makes those identities `provisioned` whose state allows it, with their credentials, their entries
 * in the log and their initial values, in one transaction; of several of one identity at most one.
 * An identity that another transaction has locked is not waited for.
 * @returns the outcome of each.
 * @throws Fault `connector_full` if a connector has room for some of its unregistered devices only.
 */
export async function provisionAll(
  options: ProvisionOptions,
  batch: readonly Activation[],
): Promise<readonly ActivationOutcome[]> {
  const nowUs = options.clock.nowUs()
  const admitted = await options.registrations.authorize(batch)
  const winners = await options.database.transaction((transaction) =>
    provisionIn(options, transaction, nowUs, { batch: firstOfEach(batch), admitted }, 'left out'),
  )
  return findOutcomes(options, nowUs, { batch, admitted }, winners)
}

/** The same for an identity that is locked: waits `activationBlockedMsMax` for it. */
export async function provisionLocked(
  options: ProvisionOptions,
  activation: Activation,
): Promise<ActivationOutcome> {
  const nowUs = options.clock.nowUs()
  const batch = [activation]
  try {
    const admitted = await options.registrations.authorize(batch)
    const winners = await options.database.transaction(async (transaction) => {
      await waitAtMost(transaction, activationBlockedMsMax)
      return provisionIn(options, transaction, nowUs, { batch, admitted }, 'waited for')
    })
    const [outcome = 'again'] = await findOutcomes(options, nowUs, { batch, admitted }, winners)
    return outcome
  } catch (error) {
    if (waitedTooLong(error)) return 'again'
    throw error
  }
}

/** A batch of activations, and the decisions on the unregistered devices among them. */
type Candidates = { readonly batch: readonly Activation[]; readonly admitted: RegistrationResults }

async function findOutcomes(
  { database }: ProvisionOptions,
  nowUs: number,
  { batch, admitted }: Candidates,
  winners: ReadonlySet<Activation>,
): Promise<readonly ActivationOutcome[]> {
  const others = batch.filter((one) => !winners.has(one))
  const refusals = await explain(database, nowUs, others)
  const why = new Map(others.map((one, at) => [one, refusals[at] ?? faultIn(admitted, one)]))
  return batch.map((one) => (winners.has(one) ? 'provisioned' : (why.get(one) ?? 'again')))
}

function faultIn(admitted: RegistrationResults, activation: Activation): Fault | undefined {
  const said = admitted.get(deviceKey(activation))
  return said instanceof Fault ? said : undefined
}

/** @returns those who took the step. */
async function provisionIn(
  { eventlog, quotas }: ProvisionOptions,
  transaction: Transaction,
  nowUs: number,
  { batch: activations, admitted }: Candidates,
  held: LockedRows,
): Promise<ReadonlySet<Activation>> {
  const steps = activations.map((one) =>
    makeStep(one, admitted.get(deviceKey(one)) === 'registers'),
  )
  const rows = await provisionIdentities(transaction, nowUs, steps, held)
  await countRegistered(transaction, activations, rows, quotas)
  const taken = new Map(rows.map((row) => [`${row.connectorId}/${row.identity}`, row]))
  const winners = activations.filter((one) => taken.has(deviceKey(one)))
  await eventlog.appendIn(
    transaction,
    winners.map((one) => provisionedEntry(one, nowUs, taken.get(deviceKey(one)))),
  )
  // Only now, with the devices' partitions held, can no other value of theirs slip in between.
  for (const { connectorId, identity } of rows.filter(({ anew }) => anew)) {
    await resetValues(transaction, connectorId, identity)
  }
  await eventlog.appendIn(transaction, await initialValueEntries(transaction, winners, nowUs))
  return new Set(winners)
}

/** @throws Fault `connector_full` where somebody else was faster: then none of them is in. */
async function countRegistered(
  transaction: Transaction,
  activations: readonly Activation[],
  rows: readonly ProvisionedRow[],
  quotas: ProvisioningQuotas | undefined,
): Promise<void> {
  const added = rows.filter(({ added }) => added)
  if (added.length === 0) return
  const byConnector = Map.groupBy(added, ({ connectorId }) => connectorId)
  const counts = new Map([...byConnector].map(([id, those]) => [id, those.length]))
  const counted = await countAdded(transaction, counts)
  const full = activations.find(({ connector }) => {
    return counts.has(connector.id) && !counted.has(connector.id)
  })
  if (full !== undefined) throw connectorFull(full.connector)
  const registered = activations.filter(({ connector }) => counts.has(connector.id))
  const businesses = new Set(registered.map(({ connector }) => connector.businessId))
  for (const id of [...businesses].sort()) await quotas?.require(transaction, id, 'devices')
}

/** Each identity once, in the order in which everybody locks them. */
function firstOfEach(batch: readonly Activation[]): Activation[] {
  const firsts = new Map<string, Activation>()
  for (const one of batch) if (!firsts.has(deviceKey(one))) firsts.set(deviceKey(one), one)
  return [...firsts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, first]) => first)
}
