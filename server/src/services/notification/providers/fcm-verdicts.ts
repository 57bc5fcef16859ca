import type { Verdicts } from './outcome.ts'

/** What the codes of FCM, and the statuses of its API where there is none, mean. */
export const fcmVerdicts: Verdicts = {
  UNREGISTERED: 'prune',
  INVALID_REGISTRATION: 'doubt',
  INTERNAL: 'retry',
  QUOTA_EXCEEDED: 'busy',
  RESOURCE_EXHAUSTED: 'busy',
  UNAUTHENTICATED: 'retry',
  UNAVAILABLE: 'busy',
  INVALID_ARGUMENT: 'refuse',
  NOT_FOUND: 'setup',
  PERMISSION_DENIED: 'setup',
  SENDER_ID_MISMATCH: 'setup',
  THIRD_PARTY_AUTH_ERROR: 'setup',
}
