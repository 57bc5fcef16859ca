export { createChannels } from './channels/index.ts'
export { createNotifications, type Notifications } from './create.ts'
export type {
  DeliveryTimeline,
  NotificationReads,
  NotificationSummary,
  SinkEntry,
} from './reads.ts'
export type { NotificationDoor } from './rest/door.ts'
