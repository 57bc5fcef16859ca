import { type components, unwrap } from '@millrace/client'
import type { Client } from './client.ts'

export type Solution = components['schemas']['Solution']

/** A message of a channel without a provider. */
export type Arrival = components['schemas']['SinkEntry']

/** In the order in which they were made. */
export async function listSolutions(
  client: Client,
  signal: AbortSignal | null = null,
  query: { readonly text?: string; readonly limit?: number } = {},
): Promise<Solution[]> {
  const params = { query }
  const { solutions } = await unwrap(client.GET('/api:1/solution', { params, signal }))
  return solutions
}

/** The newest of a solution, newest first. */
export async function listArrivals(
  client: Client,
  solution: string,
  limit: number,
  signal: AbortSignal | null = null,
): Promise<Arrival[]> {
  const params = { path: { solution }, query: { limit } }
  const path = '/api:1/solution/{solution}/notifications/sink'
  const { arrived } = await unwrap(client.GET(path, { params, signal }))
  return arrived
}

/** A send, with the number of its deliveries in each state. */
export type Notification = components['schemas']['Notification']
export type Delivery = components['schemas']['NotificationDelivery']
export type Channel = components['schemas']['NotificationChannel']

const notificationsPath = '/api:1/solution/{solution}/notifications'

/** The newest of a solution, newest first. */
export async function listNotifications(
  client: Client,
  solution: string,
  limit: number,
  signal: AbortSignal,
): Promise<Notification[]> {
  const params = { path: { solution }, query: { limit } }
  const { notifications } = await unwrap(client.GET(notificationsPath, { params, signal }))
  return notifications
}

/** A send with a page of its deliveries, and the cursor of the next one. */
export function getNotification(
  client: Client,
  solution: string,
  sid: string,
  cursor: number | undefined,
  signal: AbortSignal,
) {
  const query = { limit: deliveriesShown, ...(cursor !== undefined && { cursor }) }
  const params = { path: { solution, sid }, query }
  return unwrap(client.GET(`${notificationsPath}/{sid}`, { params, signal }))
}

const deliveriesShown = 50

/** The state of each channel. */
export async function listChannels(
  client: Client,
  solution: string,
  signal: AbortSignal,
): Promise<Channel[]> {
  const params = { path: { solution } }
  const { channels } = await unwrap(client.GET(`${notificationsPath}/channels`, { params, signal }))
  return channels
}

export type Binding = components['schemas']['NotificationBinding']

export type BindingFilter = { readonly identity?: string; readonly channel?: string }

/** A page of the bindings of a solution, newest first, and the cursor of the next one. */
export function listBindings(
  client: Client,
  solution: string,
  filter: BindingFilter,
  cursor: number | undefined,
  signal: AbortSignal,
) {
  const query = { ...filter, limit: bindingsShown, ...(cursor !== undefined && { cursor }) }
  const params = { path: { solution }, query }
  return unwrap(client.GET(`${notificationsPath}/bindings`, { params, signal }))
}

const bindingsShown = 20

export async function deleteBinding(client: Client, solution: string, sid: string): Promise<void> {
  const params = { path: { solution, sid } }
  await unwrap(client.DELETE(`${notificationsPath}/bindings/{sid}`, { params }))
}

export type Message = components['schemas']['NotificationMessage']
export type Preview = components['schemas']['NotificationPreview']

/** A message as each channel of a solution would have it. */
export async function previewMessage(
  client: Client,
  solution: string,
  body: Message,
): Promise<Preview[]> {
  const params = { path: { solution } }
  const { channels } = await unwrap(client.POST(`${notificationsPath}/preview`, { params, body }))
  return channels
}
