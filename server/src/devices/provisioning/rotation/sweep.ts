import type { Connector } from '../connectors/connector.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { provisioningLimits } from '../limits.ts'
import { listOverdue, lockRotation } from '../store/rotations.ts'
import { finish, isOpen, isOver, type RotationOptions } from './step.ts'

/** Ends rotations whose time is over. @returns how many were read. */
export async function sweepRotations(
  options: RotationOptions,
  connectors: Pick<Connectors, 'find'>,
): Promise<number> {
  const { database, clock } = options
  const overdue = await listOverdue(database, clock.nowUs(), provisioningLimits.rotationSweepMax)
  for (const { connectorId, identity } of overdue) {
    const connector = await connectors.find(connectorId)
    if (connector !== undefined) await settle(options, connector, identity)
  }
  return overdue.length
}

/** The same for one identity, where its time is over. */
export async function settle(
  options: RotationOptions,
  connector: Connector,
  identity: string,
): Promise<void> {
  const { database, clock, revocations } = options
  const written = await database.transaction(async (transaction) => {
    const row = await lockRotation(transaction, connector.id, identity)
    if (row === undefined || (isOpen(row) && !isOver(row, clock.nowUs()))) return undefined
    return finish(options, transaction, { connector, identity }, row)
  })
  revocations.publish(written)
}
