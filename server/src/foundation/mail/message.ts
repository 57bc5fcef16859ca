import { Fault, invalidField, limits } from '../kernel/index.ts'
import { mailLimits } from './limits.ts'

/** A mail that is to be sent. */
export type NewMail = {
  readonly to: readonly string[]
  readonly subject: string
  /** The text, the HTML, or both. */
  readonly text?: string | undefined
  readonly html?: string | undefined
  /**
   * The sender that a business asks for, such as `Ann <ann@example.com>`. If the operator does not
   * allow it, answers go there, and the sender is that of MILLRACE_MAIL_FROM, as if it is left out.
   */
  readonly from?: string | undefined
}

/** A mail that was checked. */
export type CheckedMail = {
  readonly from: string
  readonly replyTo: string | undefined
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string | undefined
  readonly html: string | undefined
}

const plainAddress = /^[^\s@:<>(),;"\p{C}]+@[^\s@:<>(),;"\p{C}]+$/u
const namedAddress = /^[^<>"\p{C}]{0,200}<([^<>]+)>$/u
const control = /\p{Cc}/u

/** @throws Fault invalid_argument, too_large */
export function checkMail(
  mail: NewMail,
  { defaultFrom, senders }: { readonly defaultFrom: string; readonly senders: readonly string[] },
): CheckedMail {
  const { to, subject, text, html, from: asked } = mail
  if (to.length === 0) throw invalidField('to', 'must name an e-mail address')
  if (to.length > limits.mailRecipientsMax) {
    throw invalidField('to', `names at most ${limits.mailRecipientsMax} addresses`)
  }
  if (!to.every(isAddress)) throw invalidField('to', 'contains an invalid e-mail address')
  if (asked !== undefined && !isAddress(asked))
    throw invalidField('from', 'is not an e-mail address')
  // A line end in a header would begin another header.
  if (control.test(subject) || subject.length > mailLimits.mailSubjectCharsMax) {
    throw invalidField(
      'subject',
      `is one line of at most ${mailLimits.mailSubjectCharsMax} characters`,
    )
  }
  if (!text && !html) throw invalidField('text', 'or html must be given')
  const bytes = Buffer.byteLength(text ?? '') + Buffer.byteLength(html ?? '')
  if (bytes > mailLimits.mailBodyBytesMax) {
    throw new Fault('too_large', `A mail has at most ${mailLimits.mailBodyBytesMax} bytes.`)
  }
  const own = asked === undefined || !mayUse(asked, senders)
  const [from, replyTo] = own ? [defaultFrom, asked] : [asked, undefined]
  return { from, replyTo, to, subject, text, html }
}

function mayUse(sender: string, senders: readonly string[]): boolean {
  const address = addressIn(sender).toLowerCase()
  return senders.includes(address) || senders.includes(address.slice(address.lastIndexOf('@')))
}

/** A sender that may be allowed, in one spelling: an address, or `@domain`. @throws Fault */
export function parseSender(text: string): string {
  const sender = text.toLowerCase()
  const probe = sender.startsWith('@') ? `a${sender}` : sender
  if (plainAddress.test(probe) && probe.length <= limits.emailCharsMax) return sender
  throw invalidField('sender', 'is an e-mail address, or a domain as @example.com')
}

/** Returns whether a text is `ann@example.com` or `Ann <ann@example.com>`. */
export function isAddress(text: string): boolean {
  const address = addressIn(text)
  return address.length <= limits.emailCharsMax && plainAddress.test(address)
}

function addressIn(text: string): string {
  return namedAddress.exec(text)?.[1] ?? text
}
