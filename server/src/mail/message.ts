import { Fault, invalidField, limits } from '../kernel/index.ts'

/** A mail that is to be sent. */
export type NewMail = {
  readonly to: readonly string[]
  readonly subject: string
  /** One of the two bodies, or both. */
  readonly text?: string | undefined
  readonly html?: string | undefined
  /** The sender, such as `Ann <ann@example.com>`; that of MILLRACE_MAIL_FROM if left out. */
  readonly from?: string | undefined
}

/** A mail that was checked. */
export type CheckedMail = {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string | undefined
  readonly html: string | undefined
}

const plainAddress = /^[^\s@:<>(),;"\p{C}]+@[^\s@:<>(),;"\p{C}]+$/u
const namedAddress = /^[^<>"\p{C}]{0,200}<([^<>]+)>$/u
const control = /\p{Cc}/u

/** @throws Fault invalid_argument, too_large */
export function checkMail(mail: NewMail, defaultFrom: string): CheckedMail {
  const { to, subject, text, html, from = defaultFrom } = mail
  if (to.length === 0) throw invalidField('to', 'must name an e-mail address')
  if (to.length > limits.mailRecipientsMax) {
    throw invalidField('to', `names at most ${limits.mailRecipientsMax} addresses`)
  }
  if (!to.every(isAddress)) throw invalidField('to', 'holds what is no e-mail address')
  if (!isAddress(from)) throw invalidField('from', 'is no e-mail address')
  // A line end in a header would begin another header.
  if (control.test(subject) || subject.length > limits.mailSubjectCharsMax) {
    throw invalidField('subject', `is one line of at most ${limits.mailSubjectCharsMax} characters`)
  }
  if (!text && !html) throw invalidField('text', 'or html must be given')
  const bytes = Buffer.byteLength(text ?? '') + Buffer.byteLength(html ?? '')
  if (bytes > limits.mailBodyBytesMax) {
    throw new Fault('too_large', `A mail has at most ${limits.mailBodyBytesMax} bytes.`)
  }
  return { from, to, subject, text, html }
}

/** Returns whether a text is `ann@example.com` or `Ann <ann@example.com>`. */
export function isAddress(text: string): boolean {
  const address = namedAddress.exec(text)?.[1] ?? text
  return address.length <= limits.emailCharsMax && plainAddress.test(address)
}
