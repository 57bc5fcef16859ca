/** Limits of `mail` that no operator sets. */
export const mailLimits = {
  /** The subject of a mail. */
  mailSubjectCharsMax: 500,
  /** The text and the HTML of a mail together. */
  mailBodyBytesMax: 256 * 1024,
  /** Mails that are sent at once by a process; one business has at most one fewer. */
  mailsAtOnceMax: 4,
  /** Mails that an instance without a mail server keeps for its operator; the oldest go first. */
  mailsStoredMax: 200,
}
