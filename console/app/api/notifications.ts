import { type components, unwrap } from '@millrace/client'
import type { Client } from './client.ts'
import { get, post, remove } from './endpoint.ts'

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
export const listChannels = get(`${notificationsPath}/channels`, 'channels')

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

export const deleteBinding = remove(`${notificationsPath}/bindings/{sid}`)

export type Message = components['schemas']['NotificationMessage']
export type Preview = components['schemas']['NotificationPreview']

/** A message as each channel of a solution would have it. */
export const previewMessage = post(`${notificationsPath}/preview`, 'channels')
