export { createNotifications, type NotificationHttp, type Notifications } from './create.ts'
export type { ImportAnswer, ImportBindings } from './import/batch.ts'
export { readBindings } from './import/read.ts'
export type { RawRow } from './import/scan.ts'
export { notificationOperations } from './operations.ts'
export { createProviders } from './providers/index.ts'
export type {
  DeliveryTimeline,
  NotificationReads,
  NotificationSummary,
  SinkEntry,
} from './reads.ts'
