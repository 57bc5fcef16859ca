import type { Database } from '../../../foundation/database/index.ts'
import { type Clock, Fault, implement, limits } from '../../../foundation/kernel/index.ts'
import type { Mail } from '../../../foundation/mail/index.ts'
import type { Service } from '../../scripting/index.ts'
import { scriptMailLimits } from './limits.ts'
import { emailOperations } from './operations.ts'
import { countRecipients, type Period, removeSolution } from './store.ts'

export type EmailOptions = {
  readonly database: Database
  readonly mail: Pick<Mail, 'send'>
  readonly clock: Clock
}

/** The result of a mail that was taken. */
const sent = { status: 204 } as const

const secondUs = 1_000_000
const minute: Period = { name: 'minute', us: 60 * secondUs }
const day: Period = { name: 'day', us: 24 * 60 * 60 * secondUs }

/**
 * The service `email`: mails of scripts, through the server of the operator. Each recipient counts
 * against the rates of the solution, whichever process runs the script.
 */
export function createEmailService({ database, mail, clock }: EmailOptions): Service {
  const rates = () => [
    { period: day, most: limits.emailsPerDay },
    { period: minute, most: scriptMailLimits.emailsPerMinute },
  ]

  /** Counts all of them, or none. @throws Fault too_many_requests */
  async function count(solutionId: string, recipients: number): Promise<void> {
    await database.transaction(async (transaction) => {
      const now = clock.nowUs()
      for (const { period, most } of rates()) {
        const taken = await countRecipients(transaction, solutionId, period, recipients, now)
        if (taken.count > most) throw tooMany(taken.since + period.us - now)
      }
    })
  }

  return {
    name: 'email',
    always: true,
    events: [],
    removeIn: removeSolution,
    operation: implement(emailOperations, {
      async send({ businessId, solutionId }, { to, ...content }) {
        await count(solutionId, to.length)
        await mail.send(businessId, { to, ...content })
        return sent
      },
      async getSettings() {
        return {
          per_minute: scriptMailLimits.emailsPerMinute,
          per_day: limits.emailsPerDay,
          recipients: limits.mailRecipientsMax,
        }
      },
    }),
  }
}

function tooMany(leftUs: number): Fault {
  const { emailsPerMinute } = scriptMailLimits
  const most = `${emailsPerMinute} recipients a minute and ${limits.emailsPerDay} a day`
  return new Fault('too_many_requests', `a solution sends mails to at most ${most}`, {
    retryAfterS: Math.ceil(leftUs / secondUs),
  })
}
