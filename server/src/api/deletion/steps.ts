import { setImmediate } from 'node:timers/promises'
import { hostRows } from '../../devices/hosts/index.ts'
import type { Provisioning } from '../../devices/provisioning/index.ts'
import type { BusinessRows, Database } from '../../foundation/database/index.ts'
import { Fault } from '../../foundation/kernel/index.ts'
import { mailRows } from '../../foundation/mail/index.ts'
import { assetRows } from '../../insight/assets/index.ts'
import { dashboardRows } from '../../insight/dashboards/index.ts'
import { listingRows, type Marketplace } from '../../insight/marketplace/index.ts'
import { type Pipelines, pipelineRows } from '../../insight/pipelines/index.ts'
import { contentOwner, policyRows } from '../../insight/policies/index.ts'
import { reportRows } from '../../insight/reports/index.ts'
import { lineRows } from '../../log/activity/index.ts'
import type { EventLog } from '../../log/eventlog/index.ts'
import type { Jobs } from '../../log/jobs/index.ts'
import { upkeepRows } from '../../log/upkeep/index.ts'
import { type Accounts, accountRows } from '../../people/accounts/index.ts'
import { groupRows } from '../../people/groups/index.ts'
import { type Scripting, scriptingRows } from '../../scripts/scripting/index.ts'
import { ownedRows } from '../../scripts/services/content/index.ts'
import { httpRows } from '../../scripts/services/http/index.ts'
import { interfaceRows } from '../../scripts/services/interface/index.ts'
import { graphqlRows } from '../graphql/index.ts'

/** The modules that store something of businesses. */
export type BusinessParts = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'removeBusiness'>
  readonly jobs: Pick<Jobs, 'removeBusiness' | 'queue'>
  readonly accounts: Pick<Accounts, 'removeBusiness' | 'businessRemoved' | 'findBusiness'>
  readonly provisioning: Pick<Provisioning, 'connectors' | 'contents' | 'removals'>
  readonly scripting: Pick<Scripting, 'solutions' | 'changesReached'>
  readonly marketplace: Pick<Marketplace, 'uses'>
  readonly pipelines: Pick<Pipelines, 'modules'>
}

/** Deletes connectors and solutions: devices are refused, connections end, scripts stop. */
export async function closeBusiness(parts: BusinessParts, businessId: string): Promise<void> {
  const { provisioning, scripting } = parts
  for (const { id } of await provisioning.connectors.list(businessId)) {
    await unlessGone(provisioning.removals.remove(businessId, id, { cascade: true }))
  }
  for (const { id } of await scripting.solutions.list(businessId)) {
    await unlessGone(scripting.solutions.remove(businessId, id))
  }
  await scripting.changesReached()
}

/** Another process may have been faster. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Fault && error.code === 'not_found')) throw error
  })
}

/** In an order in which nothing refers to what is removed before it. */
const stored: readonly BusinessRows[] = [
  dashboardRows,
  pipelineRows,
  assetRows,
  policyRows,
  reportRows,
  graphqlRows,
  groupRows,
  httpRows,
  interfaceRows,
  scriptingRows,
  upkeepRows,
  mailRows,
]

/** Removes what modules store, but what is needed to the end. Yields the rows of each step. */
export async function* removeStored(
  parts: BusinessParts,
  businessId: string,
): AsyncGenerator<number> {
  const { database } = parts
  for (const rows of stored) yield* paced(rows(database, businessId))
  yield* paced(ownedRows(database, contentOwner(businessId)))
  // Their links are gone; each module is asked to forget the business.
  for (const { id } of await parts.marketplace.uses.list(businessId)) {
    await unlessGone(parts.pipelines.modules.remove(businessId, id, { force: true }))
    yield 1
  }
  yield* paced(listingRows(database, businessId))
  yield* paced(lineRows(database, businessId))
}

/** Removes the rest. Yields the rows of each step. */
export async function* removeRest(
  { database, eventlog, jobs, provisioning }: BusinessParts,
  businessId: string,
): AsyncGenerator<number> {
  // The bytes of contents.
  await provisioning.contents.sweep()
  yield* paced(jobs.removeBusiness(businessId))
  yield* paced(eventlog.removeBusiness(businessId))
  yield* paced(hostRows(database, businessId))
  yield* paced(accountRows(database, businessId))
}

/** Lets others have their turn between two steps. */
async function* paced(steps: AsyncGenerator<number>): AsyncGenerator<number> {
  for await (const rows of steps) {
    yield rows
    await setImmediate()
  }
}
