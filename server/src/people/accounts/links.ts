import {
  type Clock,
  Fault,
  hashToken,
  newToken,
  type Random,
} from '../../foundation/kernel/index.ts'
import type { Mail } from '../../foundation/mail/index.ts'
import { isToken } from './parse.ts'

/** MailLinks in mails, each valid for a time: their secrets are stored as hashes. */
export type MailLinks = {
  /** A new secret, with what is stored of it. */
  issue(validMs: number): IssuedLink
  /** Reads the content of a link by its secret. Faults: not_found if it is none or has expired. */
  open<Found extends { readonly expiresAt: number }>(
    secret: string,
    load: (tokenHash: string) => Promise<Found | undefined>,
    gone: string,
  ): Promise<Found & { readonly tokenHash: string }>
  /** Sends a mail whose text has the link. Faults: mail_failed, overloaded. */
  send(businessId: string, to: string, mail: LinkMail): Promise<void>
}

export type IssuedLink = {
  readonly secret: string
  readonly tokenHash: string
  readonly at: number
  readonly expiresAt: number
}

/** `fragment`: what the link has behind `#` in front of the secret. */
type LinkMail = {
  readonly subject: string
  readonly before: readonly string[]
  readonly fragment: 'invitation' | 'reset'
  readonly secret: string
  readonly after: string
}

export type MailLinksOptions = {
  readonly mail: Pick<Mail, 'send'>
  /** The address of the console. */
  readonly publicUrl: string
  readonly clock: Clock
  readonly random: Random
}

export function createLinks({ mail, publicUrl, clock, random }: MailLinksOptions): MailLinks {
  return {
    issue(validMs) {
      const secret = newToken(random)
      const at = clock.nowMs()
      return { secret, tokenHash: hashToken(secret), at, expiresAt: at + validMs }
    },
    async open(secret, load, gone) {
      const tokenHash = hashToken(secret)
      const found = isToken(secret) ? await load(tokenHash) : undefined
      if (found === undefined || found.expiresAt <= clock.nowMs()) throw goneLink(gone)
      return { ...found, tokenHash }
    },
    async send(businessId, to, { subject, before, fragment, secret, after }) {
      const text = [...before, `${publicUrl}/#${fragment}=${secret}`, '', after].join('\n')
      await mail.send(businessId, { to: [to], subject, text })
    },
  }
}

/** The refusal of a link that is not valid, or was used by somebody else in the meantime. */
export function goneLink(sentence: string): Fault {
  return new Fault('not_found', sentence)
}
