export type {
  DeliveryOutcome,
  NotificationJob,
  Provider,
} from '../sending/channel.ts'
export { apnsSettings, createApns } from './apns.ts'
export { createProviders } from './create.ts'
export { createFcm, fcmSettings } from './fcm.ts'
export { createMessenger, messengerSettings } from './messenger.ts'
export { createTwilio, twilioSettings } from './twilio.ts'
export { readReceipt } from './twilio-receipt.ts'
export { apnsVerdicts, fcmVerdicts, messengerVerdicts, twilioVerdicts } from './verdicts.ts'
export { createWebhook, webhookSettings } from './webhook.ts'
export { readWebhookReceipt } from './webhook-receipt.ts'
