import { limits } from '../../../kernel/index.ts'
import type { Outcome } from '../sending/channel.ts'

type Sign = 'good' | 'doubtful' | 'faulty'

/**
 * What the latest answers say of a configuration. One that is wrong is told of every address that
 * it is wrong: then no address is believed to be, and the operator is told.
 */
export class FailureRateMonitor {
  readonly #signs = new Map<string, Sign[]>()
  #fault: string | undefined

  /** In words, where most answers point at the configuration. */
  get fault(): string | undefined {
    return this.#fault
  }

  restore(fault: string | undefined): void {
    this.#fault = fault
  }

  /** Another configuration: what its predecessor was told does not count. */
  reset(): void {
    this.#signs.clear()
    this.#fault = undefined
  }

  /** @returns what is to be done about an answer. */
  judge(outcome: Outcome, credentialSid: string | undefined): Outcome {
    const sign = signOf(outcome)
    if (sign === undefined) return outcome
    const signs = this.#keep(credentialSid ?? '', sign)
    const suspect = signs.filter((one) => one !== 'good').length
    const many = suspect * 100 > signs.length * limits.notificationDoubtPercentMax
    const share = `${suspect} of the last ${signs.length} answers`
    this.#tell(outcome, { many, suspect, share, credentialSid, faulty: signs.includes('faulty') })
    if (sign !== 'doubtful' || !many || outcome.kind !== 'invalid_address') return outcome
    const reason = `${outcome.reason}; the binding stays: so or alike are ${share}`
    return { kind: 'refused', reason, ofAddress: true }
  }

  #tell(
    outcome: Outcome,
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
    else if (faulty || suspect >= limits.notificationDoubtAnswersMin) {
      const whose = credentialSid === undefined ? '' : ` with the credential ${credentialSid}`
      const last = 'reason' in outcome ? `, the last is ${outcome.reason}` : ''
      this.#fault = `the configuration may be wrong: ${share}${whose} say so${last}`
    }
  }

  #keep(credential: string, sign: Sign): readonly Sign[] {
    const signs = this.#signs.get(credential) ?? []
    this.#signs.delete(credential)
    this.#signs.set(credential, signs)
    signs.push(sign)
    if (signs.length > limits.notificationAnswersKept) signs.shift()
    const [oldest] = this.#signs.keys()
    if (this.#signs.size > limits.pushCredentialsMax + 1 && oldest !== undefined) {
      this.#signs.delete(oldest)
    }
    return signs
  }
}

/** A sure end of an address is a good sign: the provider knew it. */
function signOf(outcome: Outcome): Sign | undefined {
  switch (outcome.kind) {
    case 'accepted':
      return 'good'
    case 'invalid_address':
      return outcome.doubtful === true ? 'doubtful' : 'good'
    case 'refused':
      return outcome.setup === true ? 'faulty' : undefined
    case 'retry':
      return undefined
  }
}
