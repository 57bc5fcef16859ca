import { notificationLimits } from '../limits.ts'
import type { DeliveryOutcome } from '../sending/channel.ts'

type AnswerClass = 'good' | 'doubtful' | 'faulty'

/**
 * Counts rejected addresses among the latest answers. With a wrong configuration every address is
 * rejected: then no binding is deleted, and the queue has a fault for the operator.
 */
export class FailureRateMonitor {
  readonly #answers = new Map<string, AnswerClass[]>()
  #fault: string | undefined

  /** In words, if too many answers point at the configuration. */
  get fault(): string | undefined {
    return this.#fault
  }

  restore(fault: string | undefined): void {
    this.#fault = fault
  }

  /** Starts again for another configuration. */
  reset(): void {
    this.#answers.clear()
    this.#fault = undefined
  }

  /** Counts an outcome. @returns it, or a refusal in place of an address that is suspect */
  judge(outcome: DeliveryOutcome, credentialSid: string | undefined): DeliveryOutcome {
    const sign = classify(outcome)
    if (sign === undefined) return outcome
    const signs = this.#add(credentialSid ?? '', sign)
    const suspect = signs.filter((one) => one !== 'good').length
    const many = suspect * 100 > signs.length * notificationLimits.notificationSuspectPercentMax
    const share = `${suspect} of the last ${signs.length} answers`
    this.#updateFault(outcome, {
      many,
      suspect,
      share,
      credentialSid,
      faulty: signs.includes('faulty'),
    })
    if (sign !== 'doubtful' || !many || outcome.kind !== 'invalid_address') return outcome
    const reason = `${outcome.reason}; the binding stays: so or alike are ${share}`
    return { kind: 'refused', reason, addressRejected: true }
  }

  #updateFault(
    outcome: DeliveryOutcome,
    seen: {
      readonly many: boolean
      readonly suspect: number
      readonly faulty: boolean
      readonly share: string
      readonly credentialSid: string | undefined
    },
  ): void {
    const { many, suspect, faulty, share, credentialSid } = seen
    if (!many) this.#fault = undefined
    else if (faulty || suspect >= notificationLimits.notificationSuspectAnswersMin) {
      const whose = credentialSid === undefined ? '' : ` with the credential ${credentialSid}`
      const last = 'reason' in outcome ? `, the last is ${outcome.reason}` : ''
      this.#fault = `the configuration may be wrong: ${share}${whose} say so${last}`
    }
  }

  #add(credential: string, sign: AnswerClass): readonly AnswerClass[] {
    const signs = this.#answers.get(credential) ?? []
    this.#answers.delete(credential)
    this.#answers.set(credential, signs)
    signs.push(sign)
    if (signs.length > notificationLimits.notificationAnswersMax) signs.shift()
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > notificationLimits.pushCredentialsMax + 1 && oldest !== undefined) {
      this.#answers.delete(oldest)
    }
    return signs
  }
}

/** An address that is surely gone is a good answer: the provider knew it. */
function classify(outcome: DeliveryOutcome): AnswerClass | undefined {
  switch (outcome.kind) {
    case 'accepted':
      return 'good'
    case 'invalid_address':
      return outcome.suspect === true ? 'doubtful' : 'good'
    case 'refused':
      return outcome.misconfigured === true ? 'faulty' : undefined
    case 'retry':
      return undefined
  }
}
