import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Actions } from './actions.ts'
import type { NotificationNeeds } from './needs.ts'
import { createReceipts } from './receipts/http.ts'
import { createRestApi } from './rest-api/http.ts'

/** The HTTP paths for clients of the legacy REST API, and for the receipts of providers. */
export type NotificationHttp = {
  /** Returns whether a URL is one of its paths. */
  owns(url: string): boolean
  handle(message: IncomingMessage, response: ServerResponse): void
}

export function createNotificationHttp(
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
