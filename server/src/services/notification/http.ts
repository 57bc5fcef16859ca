import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Actions } from './actions.ts'
import type { Needs } from './needs.ts'
import { createReceipts } from './receipts/http.ts'
import { createRest } from './rest-api/http.ts'

/** What others call by HTTP: clients of the ending service, and providers with their receipts. */
export type NotificationHttp = {
  /** Whether a URL is one of its paths. */
  owns(url: string): boolean
  handle(message: IncomingMessage, response: ServerResponse): void
}

export function createNotificationHttp(
  needs: Needs,
  actions: Actions,
  receive: Parameters<typeof createReceipts>[1],
): NotificationHttp {
  const doors = [createRest(needs, actions), createReceipts(needs, receive)]
  return {
    owns: (url) => doors.some((door) => door.owns(url)),
    handle(message, response) {
      doors.find((door) => door.owns(message.url ?? ''))?.handle(message, response)
    },
  }
}
