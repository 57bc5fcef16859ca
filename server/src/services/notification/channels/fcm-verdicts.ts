import type { Verdicts } from './outcome.ts'

/** What the codes of FCM, and the statuses of its API where there is none, mean. */
export const fcmVerdicts: Verdicts = {
  UNREGISTERED: 'prune',
  INVALID_REGISTRATION: 'prune',
  INTERNAL: 'retry',
  QUOTA_EXCEEDED: 'retry',
  RESOURCE_EXHAUSTED: 'retry',
  UNAUTHENTICATED: 'retry',
  UNAVAILABLE: 'retry',
  INVALID_ARGUMENT: 'refuse',
  NOT_FOUND: 'refuse',
  PERMISSION_DENIED: 'refuse',
  SENDER_ID_MISMATCH: 'refuse',
  THIRD_PARTY_AUTH_ERROR: 'refuse',
}
