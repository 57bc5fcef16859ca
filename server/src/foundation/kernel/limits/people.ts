import { type LimitDefinition, settable } from './kinds.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Sign-ins, sessions, API tokens and mail. */
export const peopleLimits = {
  /** The shortest password of an account. */
  accountPasswordCharsMin: settable(10, 8, 64),
  /** A session of the console or of the management API. */
  sessionHours: settable(12, 1, 30 * 24),
  /**
   * Failed sign-ins of an e-mail address, and of it from one network address, that lock it: 429,
   * without a check. If the account has signed in from the network address before, only the latter
   * counts.
   */
  failedSignInsMax: settable(10, 1, 10_000),
  /** Password checks that run at once; each holds 19 MiB. */
  passwordChecksMax: settable(8, 3, 64),
  /** Failed sign-ins from one network address, for any account, that lock it. */
  failedSignInsPerAddressMax: settable(200, 1, 100_000),
  /** The time of the first lock after failed sign-ins; each further failure doubles it. */
  lockoutMs: settable(minuteMs, 1_000, hourMs),
  /** The longest time of a lock after failed sign-ins. */
  lockoutMsMax: settable(hourMs, 1_000, 24 * hourMs),
  /** The time after which the last failed sign-in is forgotten, with all before it. */
  lockoutForgottenMs: settable(24 * hourMs, minuteMs, 30 * 24 * hourMs),
  /** Sessions of one user; a sign-in past it ends the oldest. */
  sessionsPerUserMax: settable(20, 1, 1_000),
  /** Times a minute that one network address may do what needs no credential, each kind of it. */
  anonymousRequestsPerMinute: settable(60, 1, 1_000_000),
  /** API tokens of one business. */
  apiTokensMax: settable(1_000, 1, 100_000),
  /** An invitation's link is valid so long. */
  invitationDays: settable(8, 1, 365),
  /** A link that resets a password is valid so long. */
  passwordResetMinutes: settable(60, 5, 24 * 60),
  /** The time in which the mail server must take a mail, and in which each of its answers comes. */
  mailMsMax: settable(20_000, 100, 2 * minuteMs),
} as const satisfies Readonly<Record<string, LimitDefinition>>
