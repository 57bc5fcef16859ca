import { Fault, type Json, jsonOf, limits } from '../../kernel/index.ts'

export function asTimerId(value: unknown): string {
  const id = typeof value === 'number' ? String(value) : value
  if (typeof id === 'string' && id.length <= limits.timerIdCharsMax && /^[\w.:-]+$/.test(id)) {
    return id
  }
  throw new Fault(
    'invalid_argument',
    `timer_id must be letters, digits, _ . : - and at most ${limits.timerIdCharsMax} of them`,
  )
}

/** Milliseconds, as microseconds. */
export function asDuration(value: unknown, msMin: number): number {
  const ms = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof ms === 'number' && ms >= msMin && ms <= limits.timerMsMax)
    return Math.round(ms * 1_000)
  throw new Fault(
    'invalid_argument',
    `duration must be ${msMin} to ${limits.timerMsMax} milliseconds`,
  )
}

export function asText(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= limits.timerIdCharsMax) {
    return value
  }
  throw new Fault('invalid_argument', `${what} must be a text`)
}

/** @throws Fault invalid_argument for bytes, which JSON cannot say. */
export function asMessage(value: unknown): Json {
  return jsonOf(value, () => new Fault('invalid_argument', 'message holds bytes that are no UTF-8'))
}
