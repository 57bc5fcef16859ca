import type { Verdicts } from './outcome.ts'

/** The verdicts of FCM's codes, and of its API's statuses if there is no code. */
export const fcmVerdicts: Verdicts = {
  UNREGISTERED: 'prune',
  INVALID_REGISTRATION: 'suspect',
  INTERNAL: 'retry',
  QUOTA_EXCEEDED: 'busy',
  RESOURCE_EXHAUSTED: 'busy',
  UNAUTHENTICATED: 'retry',
  UNAVAILABLE: 'busy',
  INVALID_ARGUMENT: 'refuse',
  NOT_FOUND: 'misconfigured',
  PERMISSION_DENIED: 'misconfigured',
  SENDER_ID_MISMATCH: 'misconfigured',
  THIRD_PARTY_AUTH_ERROR: 'misconfigured',
}
