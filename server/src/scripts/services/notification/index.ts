export { createNotifications } from './create.ts'
export type { FailedDelivery } from './delivery/job.ts'
export { notificationLimits } from './limits.ts'
export type { NotificationHttp, Notifications } from './notifications.ts'
export { notificationOperations } from './operations.ts'
export { createProviders } from './providers/index.ts'
export type { NotificationReads } from './reads.ts'
export {
  bindingImportedSchema,
  bindingsSchema,
  channelSchema,
  createBindingImportSchema,
  createBindingsQuery,
  createPageQuery,
  messageSchema,
  notificationsSchema,
  notificationTimelineSchema,
  previewSchema,
  sinkSchema,
} from './schema.ts'
