import type { Database } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import { connectorFull } from '../connectors/population.ts'
import type { ProvisioningQuotas } from '../options.ts'
import { readRoom, readUnregistered } from '../store/population.ts'
import type { GoodRow } from './row.ts'

/** Rows for which there is room, and the identities of the others. */
export type FittingRows = {
  readonly rows: readonly GoodRow[]
  readonly leftOut: ReadonlySet<string>
  /** Why others are left out: the connector or its business is full. */
  readonly full: Fault
}

type CapacityOptions = {
  readonly database: Database
  readonly quotas?: ProvisioningQuotas | undefined
}

/**
 * Returns the rows, in the order of the file, for which the connector and its business have room:
 * all that change an identity, and as many new ones as may still come.
 * @param less how many of the places are not to be given.
 */
export async function findFitting(
  { database, quotas }: CapacityOptions,
  connector: Connector,
  good: readonly GoodRow[],
  less: number,
): Promise<FittingRows> {
  const ofConnector = await readRoom(database, connector.id)
  const ofBusiness = await quotas?.countRoom(connector.businessId, 'devices')
  const isBusiness = ofBusiness !== undefined && ofBusiness < ofConnector
  const full = isBusiness ? businessFull() : connectorFull(connector)
  let room = (isBusiness ? ofBusiness : ofConnector) - less
  if (room >= good.length) return { rows: good, leftOut: new Set(), full }
  const names = good.map(({ identity }) => ({ connectorId: connector.id, identity }))
  const unregistered = new Set(
    (await readUnregistered(database, names)).map(({ identity }) => identity),
  )
  const leftOut = new Set<string>()
  for (const { identity } of good) {
    if (!unregistered.has(identity)) continue
    if (room > 0) room -= 1
    else leftOut.add(identity)
  }
  return { rows: good.filter(({ identity }) => !leftOut.has(identity)), leftOut, full }
}

function businessFull(): Fault {
  return new Fault('business_quota_full', 'The business has as many devices as its quota allows.')
}
