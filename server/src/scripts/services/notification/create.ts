import type { Transaction } from '../../../foundation/database/index.ts'
import {
  Fault,
  implement,
  limits,
  removeByPeriods,
  unsetPeriods,
} from '../../../foundation/kernel/index.ts'
import type { ConfigureInput, Service } from '../../scripting/index.ts'
import { type Actions, createActions } from './actions.ts'
import { createBindingAdmin } from './bindings/binding-admin.ts'
import { Dispatcher } from './delivery/dispatcher.ts'
import { createFailedDeliveries } from './failures.ts'
import { makeImplementation } from './implementation.ts'
import { createImport } from './import/batch.ts'
import type { NotificationHttp, Notifications, NotifiedText } from './notifications.ts'
import { notificationOperations } from './operations.ts'
import {
  type NotificationOptions,
  notificationsStage,
  serviceNames,
  settleJobs,
} from './options.ts'
import { configure } from './providers/configuration.ts'
import { settingsOfService } from './providers/contract.ts'
import { createSinkProviders } from './providers/create.ts'
import { createReads } from './reads.ts'
import { createReceipts } from './receipts/http.ts'
import { receive } from './receipts/receive.ts'
import { createRestApi } from './rest-api/http.ts'
import { readSend, type SendRequest } from './sending/message.ts'
import { previewMessage } from './sending/preview.ts'
import { checkChannels } from './sending/send.ts'
import { readBindingCount } from './store/binding-list.ts'
import { countByPart } from './store/jobs.ts'
import { deleteOldJobs, deleteOldNotifications, removeSolution } from './store/upkeep.ts'

const usPerHour = 3_600_000_000

export function createNotifications(given: NotificationOptions): Notifications {
  const { database, clock, ledger } = given
  const options = { ...given, providers: [...given.providers, ...createSinkProviders()] }
  const dispatcher = new Dispatcher(options)
  const invalidateBindings = (solutionId: string, sids: readonly string[]) =>
    dispatcher.invalidateBindings(solutionId, sids)
  const actions = createActions({
    ...options,
    wake: () => dispatcher.wake(),
    invalidateBindings,
  })
  const operation = implement(notificationOperations, makeImplementation(options, actions))
  const receiveReceipt: Notifications['receive'] = (...args) => receive(options, ...args)
  ledger.ledger.addStage({
    stage: notificationsStage,
    pending: (queryable) => countByPart(queryable, 'queued'),
    kept: { of: 'all', count: (queryable) => countByPart(queryable, 'ended') },
  })

  return {
    ...createReads(options, dispatcher.inFlight),
    failures: createFailedDeliveries(options, () => dispatcher.wake()),
    http: createNotificationHttp(options, actions, receiveReceipt),
    services: serviceNames.map((name) => makeService(options, name, operation)),
    importBindings: createImport({ ...options, invalidateBindings }),
    bindings: createBindingAdmin(options, actions),
    preview: (where, message) => previewMessage(options, where, message),
    notify: (where, text) => actions.send(where, readText(text, clock.nowMs()), true),
    async checkText(solutionId, text) {
      const { refusals } = await checkChannels(options, solutionId, readText(text, clock.nowMs()))
      const [refusal] = refusals
      if (refusal !== undefined) throw refusal
    },
    start: () => dispatcher.start(),
    receive: receiveReceipt,
    async sweep(periods = unsetPeriods) {
      const nowUs = clock.nowUs()
      const deleteJobs: typeof deleteOldNotifications = (_, ...which) =>
        database.transaction(async (transaction) => {
          const removed = await deleteOldJobs(transaction, ...which)
          await settleJobs(ledger, transaction, removed)
          return removed.reduce((sum, one) => sum + one.count, 0)
        })
      for (const remove of [deleteJobs, deleteOldNotifications]) {
        await removeByPeriods(periods, limits.notificationHours, (part, hours, count) =>
          remove(database, part, nowUs - hours * usPerHour, count),
        )
      }
    },
    async close() {
      await dispatcher.stop()
      for (const provider of options.providers) await provider.close?.()
    },
  }
}

/** @throws Fault invalid_argument */
function readText(text: NotifiedText, nowMs: number): SendRequest {
  const { service: ServiceSid, identities: Identity, title, body: Body, from } = text
  const given = {
    ServiceSid,
    Identity,
    Body,
    ...(title !== '' && { Title: title }),
    ...(from !== '' && { Sms: { from } }),
  }
  return readSend(notificationOperations.parse('send', given), nowMs)
}

function createNotificationHttp(
  options: NotificationOptions,
  actions: Actions,
  receive: Parameters<typeof createReceipts>[1],
): NotificationHttp {
  const parts = [createRestApi(options, actions), createReceipts(options, receive)]
  return {
    owns: (url) => parts.some((part) => part.owns(url)),
    handle(message, response) {
      parts.find((part) => part.owns(message.url ?? ''))?.handle(message, response)
    },
  }
}

function makeService(
  options: NotificationOptions,
  name: (typeof serviceNames)[number],
  operation: Service['operation'],
): Service {
  return {
    name,
    always: true,
    events: [],
    operation,
    async configure(input) {
      await rejectSecond(options, name, input)
      return configure(input, { name, ...options })
    },
    settings: settingsOfService(options.providers),
    ...(name === 'notification'
      ? {
          removeIn: (transaction, solutionId) => remove(options, transaction, solutionId),
          usage: (solutionId) => countUsage(options, solutionId),
        }
      : {}),
  }
}

/** The two names are one service, which has one configuration. */
async function rejectSecond(
  { configurations }: NotificationOptions,
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

async function countUsage({ database }: NotificationOptions, solutionId: string) {
  const used = await readBindingCount(database, solutionId)
  return [{ limit: 'notificationBindingsMax', used, max: limits.notificationBindingsMax }]
}

/** Jobs that are still queued count as failed. */
async function remove(
  { ledger }: NotificationOptions,
  transaction: Transaction,
  solutionId: string,
): Promise<void> {
  await settleJobs(ledger, transaction, await removeSolution(transaction, solutionId))
}
