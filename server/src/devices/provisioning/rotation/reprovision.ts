import type { Transaction } from '../../../foundation/database/index.ts'
import {
  createSettingsParser,
  Fault,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import { clearValuesReset, markValuesReset } from '../store/reprovision.ts'
import { deleteValues } from '../store/values.ts'

/*
 * Provisioning a device again. An operator orders it: from then on its credential is unknown, and
 * its next activation succeeds. The connector's setting at the time of the order holds for the
 * activation that follows: whether the device keeps its values or starts anew.
 */

const policySchema = Type.Enum(['never', 'on_order'], {
  component: 'ReprovisionPolicy',
  description: 'With `never`, no device is provisioned again.',
})

const dataSchema = Type.Enum(['keep', 'anew'], {
  component: 'ReprovisionData',
  description: 'The values that an ordered activation finds: those of before, or none.',
})

export const reprovisionInputSchema = StrictObject({
  policy: Type.Optional(policySchema),
  data: Type.Optional(dataSchema),
})

export const reprovisionSchema = StrictObject({ policy: policySchema, data: dataSchema })
export type Reprovision = StaticResult<typeof reprovisionSchema>

export const onOrder: Reprovision = { policy: 'on_order', data: 'keep' }

const parse = createSettingsParser(() => reprovisionInputSchema, 'reprovision')

/** @throws Fault `invalid_argument`, naming the field. */
export function parseReprovision(input: unknown, base: Reprovision): Reprovision {
  const { policy = base.policy, data = base.data } = parse(input)
  return { policy, data }
}

type ConnectorRule = { readonly id: string; readonly reprovision: Reprovision }
type Order = { readonly reprovision: boolean | undefined }

/** @throws Fault `reprovision_refused` for an order that the connector does not take. */
export function refuseOrder(
  { reprovision: { policy } }: ConnectorRule,
  { reprovision }: Order,
): void {
  if (reprovision !== true || policy !== 'never') return
  throw new Fault(
    'reprovision_refused',
    'reprovision cannot be true: provisioning.reprovision.policy of the connector is never',
  )
}

/** Keeps with an order, or with its withdrawal, what the activation is to begin with. */
export async function storeOrder(
  transaction: Transaction,
  { id, reprovision: { data } }: ConnectorRule,
  identities: readonly string[],
  { reprovision }: Order,
): Promise<void> {
  if (reprovision === undefined) return
  await markValuesReset(transaction, id, identities, reprovision && data === 'anew')
}

/**
 * Clears the values of a device that was ordered to start anew. To be called while the device's
 * partition of the log is held, so that every write before has been committed.
 */
export async function resetValues(
  transaction: Transaction,
  connectorId: string,
  identity: string,
): Promise<void> {
  await deleteValues(transaction, connectorId, [identity])
  await clearValuesReset(transaction, connectorId, identity)
}
