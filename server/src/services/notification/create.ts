import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Transaction } from '../../database/index.ts'
import { Fault, implement, limits } from '../../kernel/index.ts'
import type { ConfigureInput, Service } from '../../scripting/index.ts'
import { type Actions, createActions } from './actions.ts'
import { Dispatcher } from './delivery/dispatcher.ts'
import { implementationOf } from './implementation.ts'
import { createImport, type ImportBindings } from './import/batch.ts'
import { countJobs, type NotificationNeeds, notificationsStage, serviceNames } from './needs.ts'
import { notificationOperations } from './operations.ts'
import { configure } from './providers/configuration.ts'
import { createSinkProviders } from './providers/create.ts'
import { createReads, type NotificationReads } from './reads.ts'
import { createReceipts } from './receipts/http.ts'
import { type Received, receive } from './receipts/receive.ts'
import { createRestApi } from './rest-api/http.ts'
import type { Receipt } from './sending/channel.ts'
import { countOpen } from './store/jobs.ts'
import { deleteOldJobs, deleteOldNotifications, removeSolution } from './store/upkeep.ts'

export type NotificationOptions = Omit<NotificationNeeds, 'ledger'> & {
  readonly ledger: NotificationNeeds['ledger'] & {
    readonly ledger: { addStage(stage: { stage: string; pending: typeof countOpen }): void }
  }
}

/** The HTTP paths for clients of the legacy REST API, and for the receipts of providers. */
export type NotificationHttp = {
  /** Returns whether a URL is one of its paths. */
  owns(url: string): boolean
  handle(message: IncomingMessage, response: ServerResponse): void
}

export type Notifications = NotificationReads & {
  /** One service under its two names. */
  readonly services: readonly Service[]
  /** The HTTP server's paths for clients and for receipts of providers. */
  readonly http: NotificationHttp
  /** Imports bindings that another service has exported. */
  importBindings: ImportBindings
  /** Starts the dispatcher. */
  start(): void
  /** Records a provider's receipt for a message of a solution. */
  receive(solutionId: string, receipt: Receipt): Promise<Received>
  /** Deletes jobs and notifications past their retention. */
  sweep(): Promise<void>
  close(): Promise<void>
}

const usPerHour = 3_600_000_000

export function createNotifications(options: NotificationOptions): Notifications {
  const { database, clock, ledger } = options
  const needs: NotificationNeeds = {
    ...options,
    providers: [...options.providers, ...createSinkProviders()],
  }
  const dispatcher = new Dispatcher(needs)
  const invalidateBindings = (solutionId: string, sids: readonly string[]) =>
    dispatcher.invalidateBindings(solutionId, sids)
  const actions = createActions({
    ...needs,
    wake: () => dispatcher.wake(),
    invalidateBindings,
  })
  const operation = implement(notificationOperations, implementationOf(needs, actions))
  const receiveReceipt: Notifications['receive'] = (...args) => receive(needs, ...args)
  ledger.ledger.addStage({ stage: notificationsStage, pending: countOpen })

  return {
    ...createReads(needs, dispatcher.inFlight),
    http: createNotificationHttp(needs, actions, receiveReceipt),
    services: serviceNames.map((name) => serviceOf(needs, name, operation)),
    importBindings: createImport({ ...needs, invalidateBindings }),
    start: () => dispatcher.start(),
    receive: receiveReceipt,
    async sweep() {
      const beforeUs = clock.nowUs() - limits.notificationHours * usPerHour
      const count = limits.retentionBatchMax
      while ((await deleteOldJobs(database, beforeUs, count)) === count);
      while ((await deleteOldNotifications(database, beforeUs, count)) === count);
    },
    async close() {
      await dispatcher.stop()
      for (const provider of needs.providers) await provider.close?.()
    },
  }
}

function createNotificationHttp(
  needs: NotificationNeeds,
  actions: Actions,
  receive: Parameters<typeof createReceipts>[1],
): NotificationHttp {
  const parts = [createRestApi(needs, actions), createReceipts(needs, receive)]
  return {
    owns: (url) => parts.some((part) => part.owns(url)),
    handle(message, response) {
      parts.find((part) => part.owns(message.url ?? ''))?.handle(message, response)
    },
  }
}

function serviceOf(
  needs: NotificationNeeds,
  name: (typeof serviceNames)[number],
  operation: Service['operation'],
): Service {
  return {
    name,
    always: true,
    events: [],
    operation,
    async configure(input) {
      await rejectSecond(needs, name, input)
      return configure(input, { name, ...needs })
    },
    ...(name === 'notification'
      ? { removeIn: (transaction, solutionId) => remove(needs, transaction, solutionId) }
      : {}),
  }
}

/** The two names are one service, which has one configuration. */
async function rejectSecond(
  { configurations }: NotificationNeeds,
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

/** Jobs that are still queued count as failed. */
async function remove(
  { ledger }: NotificationNeeds,
  transaction: Transaction,
  solutionId: string,
): Promise<void> {
  const open = await removeSolution(transaction, solutionId)
  for (const { part, count } of open.sort((a, b) => a.part - b.part)) {
    await countJobs(ledger, transaction, part, { failed: count })
  }
}
