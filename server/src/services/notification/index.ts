export type { BindingSummary } from './bindings/binding-admin.ts'
export { createNotifications } from './create.ts'
export type { FailedDelivery } from './delivery/job.ts'
export type { ImportAnswer } from './import/batch.ts'
export type { NotificationHttp, Notifications } from './notifications.ts'
export { notificationOperations } from './operations.ts'
export { createProviders } from './providers/index.ts'
export type {
  DeliveryTimeline,
  NotificationReads,
  NotificationSummary,
  SinkEntry,
} from './reads.ts'
