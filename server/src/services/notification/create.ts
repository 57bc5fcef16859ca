import type { Transaction } from '../../database/index.ts'
import { Fault, limits } from '../../kernel/index.ts'
import type { ConfigureInput, Operation, Service } from '../../scripting/index.ts'
import { createActions } from './actions.ts'
import { Dispatcher } from './delivery/dispatcher.ts'
import { createSinks } from './delivery/sink.ts'
import { createNotificationHttp, type NotificationHttp } from './http.ts'
import { createImport, type ImportBindings } from './import/batch.ts'
import { countJobs, type Needs, notificationsStage, serviceNames } from './needs.ts'
import { createOperations } from './operations.ts'
import { configure } from './providers/configuration.ts'
import { createReads, type NotificationReads } from './reads.ts'
import { type Received, receive } from './receipts/receive.ts'
import type { Receipt } from './sending/channel.ts'
import { countOpen } from './store/jobs.ts'
import { deleteOldJobs, deleteOldNotifications, removeSolution } from './store/upkeep.ts'

export type NotificationOptions = Omit<Needs, 'ledger'> & {
  readonly ledger: Needs['ledger'] & {
    readonly ledger: { addStage(stage: { stage: string; pending: typeof countOpen }): void }
  }
}

export type Notifications = NotificationReads & {
  /** One service under its two names. */
  readonly services: readonly Service[]
  /** What others call by HTTP. */
  readonly door: NotificationHttp
  /** Takes bindings that another service has exported. */
  importBindings: ImportBindings
  /** Begins to send. */
  start(): void
  /** What a provider says later of a message of a solution. */
  receive(solutionId: string, receipt: Receipt): Promise<Received>
  /** Removes what is old. */
  sweep(): Promise<void>
  close(): Promise<void>
}

const usPerHour = 3_600_000_000

export function createNotifications(options: NotificationOptions): Notifications {
  const { database, clock, ledger } = options
  const needs: Needs = { ...options, channels: [...options.channels, ...createSinks()] }
  const courier = new Dispatcher(needs)
  const forget = (solutionId: string, sids: readonly string[]) => courier.forget(solutionId, sids)
  const actions = createActions({ ...needs, wake: () => courier.wake(), forget })
  const operations = createOperations(needs, actions)
  const take: Notifications['receive'] = (...told) => receive(needs, ...told)
  ledger.ledger.addStage({ stage: notificationsStage, pending: countOpen })

  return {
    ...createReads(needs, courier.underWay),
    door: createNotificationHttp(needs, actions, take),
    services: serviceNames.map((name) => serviceOf(needs, name, operations)),
    importBindings: createImport({ ...needs, forget }),
    start: () => courier.start(),
    receive: take,
    async sweep() {
      const beforeUs = clock.nowUs() - limits.notificationHours * usPerHour
      const count = limits.retentionBatchMax
      while ((await deleteOldJobs(database, beforeUs, count)) === count);
      while ((await deleteOldNotifications(database, beforeUs, count)) === count);
    },
    async close() {
      await courier.stop()
      for (const channel of needs.channels) await channel.close?.()
    },
  }
}

function serviceOf(
  needs: Needs,
  name: (typeof serviceNames)[number],
  operations: Readonly<Record<string, Operation>>,
): Service {
  return {
    name,
    always: true,
    events: [],
    operation: (asked) => (Object.hasOwn(operations, asked) ? operations[asked] : undefined),
    async configure(input) {
      await refuseSecond(needs, name, input)
      return configure(input, { name, ...needs })
    },
    ...(name === 'notification'
      ? { removeIn: (transaction, solutionId) => remove(needs, transaction, solutionId) }
      : {}),
  }
}

/** The two names name one thing, which has one configuration. */
async function refuseSecond(
  { configurations }: Needs,
  name: string,
  { before, solutionId }: ConfigureInput,
): Promise<void> {
  if (before !== undefined) return
  for (const other of serviceNames.filter((one) => one !== name)) {
    const found = await configurations.ofSolution(other, solutionId)
    if (found.length === 0) continue
    const what = `The solution has the notification service already, under the name ${other}.`
    throw new Fault('already_exists', what)
  }
}

/** What was not sent by then counts as failed. */
async function remove(
  { ledger }: Needs,
  transaction: Transaction,
  solutionId: string,
): Promise<void> {
  const open = await removeSolution(transaction, solutionId)
  for (const { part, count } of open.sort((a, b) => a.part - b.part)) {
    await countJobs(ledger, transaction, part, { failed: count })
  }
}
