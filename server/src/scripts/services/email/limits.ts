/** Limits of `services/email` that no operator sets. */
export const scriptMailLimits = {
  /** Recipients of mails that the scripts of one solution send in a minute; then 429. */
  emailsPerMinute: 60,
}
