import type { components } from '@millrace/client'
import type { Client } from './client.ts'
import { find, get, post, remove } from './endpoint.ts'

type Schemas = components['schemas']

export type Solution = Schemas['Solution']
/** A message of a channel without a provider. */
export type Arrival = Schemas['SinkEntry']
/** A send, with the number of its deliveries in each state. */
export type Notification = Schemas['Notification']
export type Delivery = Schemas['NotificationDelivery']
export type Channel = Schemas['NotificationChannel']
export type Binding = Schemas['NotificationBinding']
export type Message = Schemas['NotificationMessage']
export type Preview = Schemas['NotificationPreview']

const path = '/api:1/solution/{solution}/notifications'

/** Some of the solutions of the business. */
export const findSolutions = find('/api:1/solution', 'solutions')

/** In the order in which they were made. */
export const listSolutions = (client: Client, signal: AbortSignal | null = null) =>
  findSolutions(client, {}, signal)

/** The newest of a solution, newest first. */
export const listArrivals = find(`${path}/sink`, 'arrived')

/** The newest of a solution, newest first. */
export const listNotifications = find(path, 'notifications')

/** A send with a page of its deliveries, and the cursor of the next one. */
export const getNotification = find(`${path}/{sid}`)

/** The state of each channel. */
export const listChannels = get(`${path}/channels`, 'channels')

/** A page of the bindings of a solution, newest first, and the cursor of the next one. */
export const listBindings = find(`${path}/bindings`)

export const deleteBinding = remove(`${path}/bindings/{sid}`)

/** A message as each channel of a solution would have it. */
export const previewMessage = post(`${path}/preview`, 'channels')
