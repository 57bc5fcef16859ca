export type {
  DeliveryOutcome,
  NotificationJob,
  Provider,
} from '../sending/channel.ts'
export { apnsVerdicts, createApns } from './apns.ts'
export { createProviders } from './create.ts'
export { createFcm, fcmVerdicts } from './fcm.ts'
export { createMessenger, messengerVerdicts } from './messenger.ts'
export { createTwilio, twilioVerdicts } from './twilio.ts'
export { readReceipt } from './twilio-receipt.ts'
export { createWebhook } from './webhook.ts'
export { readWebhookReceipt } from './webhook-receipt.ts'
