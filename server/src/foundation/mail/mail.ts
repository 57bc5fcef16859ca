import type { Database } from '../database/index.ts'
import {
  type Clock,
  Fault,
  invalid,
  type Logger,
  limits,
  newId,
  type Random,
  Semaphore,
} from '../kernel/index.ts'
import { mailLimits } from './limits.ts'
import { checkMail, type NewMail, parseSender } from './message.ts'
import { createSmtp, type SmtpServer } from './smtp.ts'
import { createStore, type StoredMail } from './store.ts'

/** Mails that wait for one to be sent; past it 503. */
const mailsWaitingMax = 200
/** Senders of mails, addresses and domains, that the operator allows to a business. */
const mailSendersMax = 100

export type Mail = {
  /** False if mails go into the sink, for there is no server. */
  readonly isSent: boolean
  /**
   * Sends a mail, for a business or for the instance itself. It resolves once the server has taken
   * the mail, or the sink has it. Faults: invalid_argument, too_large, mail_failed, overloaded.
   */
  send(businessId: string | null, mail: NewMail): Promise<void>
  /** The mails of the sink, the newest first. */
  list(): Promise<StoredMail[]>
  /** Finds a mail of the sink. Faults: not_found. Faults: not_found. */
  find(id: string): Promise<StoredMail>
  /** The senders that the operator allows to the scripts of a business. */
  readonly senders: MailSenders
  close(): Promise<void>
}

export type MailSenders = {
  list(businessId: string): Promise<string[]>
  /** An address, or a domain as `@example.com`. Faults: invalid_argument. */
  allow(businessId: string, sender: string): Promise<void>
  /** Faults: not_found. */
  remove(businessId: string, sender: string): Promise<void>
}

export type MailOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Undefined: there is none, and mails go into the sink. */
  readonly smtp?: SmtpServer | undefined
  /** The sender of mails that name none. */
  readonly from: string
}

export function createMail({ database, clock, random, logger, smtp, from }: MailOptions): Mail {
  const store = createStore(database)
  const server = smtp === undefined ? undefined : createSmtp(smtp, logger)
  const slots = new Semaphore({
    max: mailLimits.mailsAtOnceMax,
    waitingMax: mailsWaitingMax,
    refusal: () =>
      new Fault('overloaded', 'Too many mails wait to be sent.', {
        retryAfterS: limits.retryAfterS,
      }),
  })
  return {
    isSent: server !== undefined,
    async send(businessId, mail) {
      const asksSender = businessId !== null && mail.from !== undefined
      const senders = asksSender ? await store.senders(businessId) : []
      const checked = checkMail(mail, { defaultFrom: from, senders })
      // A business that sends many leaves room for the others.
      const share = { key: businessId ?? '', max: Math.max(1, mailLimits.mailsAtOnceMax - 1) }
      await slots.run([share], () => {
        if (server !== undefined) return server.send(checked)
        const stored = { ...checked, id: newId(random), businessId, at: clock.nowMs() }
        return store.add(stored, mailLimits.mailsStoredMax)
      })
    },
    list: () => store.list(mailLimits.mailsStoredMax),
    async find(id) {
      const mail = id.includes('\0') ? undefined : await store.find(id)
      if (mail === undefined) throw new Fault('not_found', 'There is no such mail.')
      return mail
    },
    senders: {
      list: (businessId) => store.senders(businessId),
      async allow(businessId, sender) {
        const parsed = parseSender(sender)
        const most = mailSendersMax
        if (await store.addSender(businessId, parsed, most)) return
        throw invalid(`a business has at most ${most} senders`)
      },
      async remove(businessId, sender) {
        if (await store.removeSender(businessId, sender.toLowerCase())) return
        throw new Fault('not_found', 'The business has no such sender.')
      },
    },
    close: async () => server?.close(),
  }
}
