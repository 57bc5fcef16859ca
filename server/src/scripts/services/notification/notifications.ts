import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PeriodsByBusiness } from '../../../foundation/kernel/index.ts'
import type { Service } from '../../scripting/index.ts'
import type { Where } from './actions.ts'
import type { BindingAdmin } from './bindings/binding-admin.ts'
import type { FailedDeliveries } from './failures.ts'
import type { ImportBindings } from './import/batch.ts'
import type { NotificationReads } from './reads.ts'
import type { Received } from './receipts/receive.ts'
import type { ChannelPreview } from './schema.ts'
import type { Receipt } from './sending/channel.ts'

/** The HTTP paths for clients of the legacy REST API, and for the receipts of providers. */
export type NotificationHttp = {
  /** Returns whether a URL is one of its paths. */
  owns(url: string): boolean
  handle(message: IncomingMessage, response: ServerResponse): void
}

export type NotifiedText = {
  /** The `ServiceSid` of the bindings. */
  readonly service: string
  readonly identities: readonly string[]
  readonly title: string
  readonly body: string
  /** The sender of SMS; empty: that of the service. */
  readonly from: string
}

export type Notifications = NotificationReads & {
  /** A service under its two names. */
  readonly services: readonly Service[]
  /** The HTTP server's paths for clients and for receipts of providers. */
  readonly http: NotificationHttp
  /** Imports bindings that another service has exported. */
  importBindings: ImportBindings
  readonly bindings: BindingAdmin
  /** A message as each channel would have it. @throws Fault invalid_argument */
  preview(
    where: Where,
    message: Readonly<Record<string, unknown>>,
  ): Promise<readonly ChannelPreview[]>
  /** Rejects a text that a channel of its audience cannot send. @throws Fault invalid_argument */
  checkText(solutionId: string, text: NotifiedText): Promise<void>
  /**
   * Sends a text to people who have bindings. Deliveries on channels for which it is invalid fail.
   * @throws Fault invalid_argument if it is invalid for all
   */
  notify(where: Where, text: NotifiedText): Promise<{ readonly sid: string }>
  readonly failures: FailedDeliveries
  /** Starts the dispatcher. */
  start(): void
  /** Records a provider's receipt for a message of a solution. */
  receive(solutionId: string, receipt: Receipt): Promise<Received>
  /** Deletes jobs and notifications past their retention. */
  sweep(periods?: PeriodsByBusiness): Promise<void>
  /** Stops the dispatcher, and closes the providers. */
  close(): Promise<void>
}
