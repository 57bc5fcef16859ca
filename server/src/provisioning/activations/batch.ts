import { type Transaction, waitedTooLong } from '../../database/index.ts'
import { type Fault, limits } from '../../kernel/index.ts'
import type { ProvisioningOptions } from '../needs.ts'
import { startAnew } from '../reprovision.ts'
import { type Held, provisionIdentities, waitAtMost } from '../store/activations.ts'
import { type Activation, keyOf, stepOf } from './activation.ts'
import { initial, provisioned } from './entries.ts'
import { explain } from './explain.ts'

/** What became of an activation; `again`: it should have succeeded, but somebody held the row. */
export type Outcome = 'provisioned' | 'again' | Fault

type Needs = Pick<ProvisioningOptions, 'database' | 'eventlog' | 'clock'>

/**
 * Makes those identities `provisioned` whose state allows it, with their credentials, their entries
 * in the log and their initial values, in one transaction; of several of one identity at most one.
 * An identity that somebody else holds is not waited for.
 * @returns what became of each.
 */
export async function provisionAll(
  needs: Needs,
  batch: readonly Activation[],
): Promise<readonly Outcome[]> {
  const nowUs = needs.clock.nowUs()
  const winners = await needs.database.transaction((transaction) =>
    provisionIn(needs, transaction, nowUs, firstOfEach(batch), 'left out'),
  )
  return judge(needs, nowUs, batch, winners)
}

/** The same for one that somebody else held, with `limits.activationHeldMsMax` to wait for it. */
export async function provisionHeld(needs: Needs, activation: Activation): Promise<Outcome> {
  const nowUs = needs.clock.nowUs()
  try {
    const winners = await needs.database.transaction(async (transaction) => {
      await waitAtMost(transaction, limits.activationHeldMsMax)
      return provisionIn(needs, transaction, nowUs, [activation], 'waited for')
    })
    const [outcome = 'again'] = await judge(needs, nowUs, [activation], winners)
    return outcome
  } catch (error) {
    if (waitedTooLong(error)) return 'again'
    throw error
  }
}

async function judge(
  { database }: Needs,
  nowUs: number,
  batch: readonly Activation[],
  winners: ReadonlySet<Activation>,
): Promise<readonly Outcome[]> {
  const others = batch.filter((one) => !winners.has(one))
  const refusals = await explain(database, nowUs, others)
  const why = new Map(others.map((one, at) => [one, refusals[at]]))
  return batch.map((one) => (winners.has(one) ? 'provisioned' : (why.get(one) ?? 'again')))
}

/** @returns those who took the step. */
async function provisionIn(
  { eventlog }: Needs,
  transaction: Transaction,
  nowUs: number,
  activations: readonly Activation[],
  held: Held,
): Promise<ReadonlySet<Activation>> {
  const steps = activations.map(stepOf)
  const rows = await provisionIdentities(transaction, nowUs, steps, held)
  const taken = new Map(rows.map((row) => [`${row.connectorId}/${row.identity}`, row]))
  const winners = activations.filter((one) => taken.has(keyOf(one)))
  await eventlog.appendIn(
    transaction,
    winners.map((one) => provisioned(one, nowUs, taken.get(keyOf(one))?.anew === true)),
  )
  // Only now, with the devices' partitions held, can no other value of theirs slip in between.
  for (const { connectorId, identity } of rows.filter(({ anew }) => anew)) {
    await startAnew(transaction, connectorId, identity)
  }
  await eventlog.appendIn(transaction, await initial(transaction, winners, nowUs))
  return new Set(winners)
}

/** Each identity once, in the order in which everybody locks them. */
function firstOfEach(batch: readonly Activation[]): Activation[] {
  const firsts = new Map<string, Activation>()
  for (const one of batch) if (!firsts.has(keyOf(one))) firsts.set(keyOf(one), one)
  return [...firsts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, first]) => first)
}
