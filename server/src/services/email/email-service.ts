import { type Clock, Fault, implement, limits, RateLimiter } from '../../kernel/index.ts'
import type { Mail } from '../../mail/index.ts'
import type { Service } from '../../scripting/index.ts'
import { emailOperations } from './operations.ts'

export type EmailOptions = { readonly mail: Pick<Mail, 'send'>; readonly clock: Clock }

/** The result of a mail that was taken. */
const sent = { status: 204 } as const

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * The service `email`: mails of scripts, through the server of the operator. Each recipient counts
 * against the rates of the solution.
 */
export function createEmailService({ mail, clock }: EmailOptions): Service {
  const rates = {
    minute: new RateLimiter(clock, limits.signInsRememberedMax),
    day: new RateLimiter(clock, limits.signInsRememberedMax),
  }

  function count(solutionId: string, recipients: number): void {
    const minute = { count: limits.emailsPerMinute, windowMs: minuteMs }
    const day = { count: limits.emailsPerDay, windowMs: dayMs }
    for (let at = 0; at < recipients; at += 1) {
      const leftMs = rates.day.take(solutionId, day) || rates.minute.take(solutionId, minute)
      if (leftMs > 0) throw tooMany(leftMs)
    }
  }

  return {
    name: 'email',
    always: true,
    events: [],
    operation: implement(emailOperations, {
      async send({ businessId, solutionId }, { to, ...content }) {
        count(solutionId, to.length)
        await mail.send(businessId, { to, ...content })
        return sent
      },
      async getSettings() {
        return {
          per_minute: limits.emailsPerMinute,
          per_day: limits.emailsPerDay,
          recipients: limits.mailRecipientsMax,
        }
      },
    }),
  }
}

function tooMany(leftMs: number): Fault {
  const most = `${limits.emailsPerMinute} recipients a minute and ${limits.emailsPerDay} a day`
  return new Fault('too_many_requests', `a solution sends mails to at most ${most}`, {
    retryAfterS: Math.ceil(leftMs / 1_000),
  })
}
