import { Complaints, isObject, kindOf, quote, type Reading } from './reading.ts'
import { readSignal } from './signal.ts'
import type { SignalData } from './types.ts'

export type AnswerLimits = {
  /** Values in the whole answer, all outlets together. One more is an error. */
  readonly valuesMax: number
}

/**
 * Reads the answer of the process call.
 *
 * @param outletCount how many outlets the function declares; the value has exactly as many arrays
 * @returns the values of each outlet. `value: null` is no output; what cannot be read and what
 *   comes from outlets that nobody declared is left out; both with a complaint. An answer that is
 *   not an array, or that breaks the limits, is an error: nothing of it is used.
 */
export function readProcessAnswer(
  json: unknown,
  outletCount: number,
  limits: AnswerLimits,
): Reading<SignalData[][]> {
  if (!Array.isArray(json)) return { error: refusalOf(json) }
  if (countOf(json) > limits.valuesMax) {
    return { error: `the answer holds more than ${limits.valuesMax} values` }
  }
  const complaints = new Complaints()
  complainAboutOutlets(json, outletCount, complaints)
  const value = Array.from({ length: outletCount }, (_, index) =>
    readOutletValues(json[index], index, complaints),
  )
  return { value, complaints: complaints.list() }
}

function refusalOf(json: unknown): string {
  const said = isObject(json) && typeof json.message === 'string' ? json.message : undefined
  const what = `the answer is ${kindOf(json)}, not an array of arrays`
  return said === undefined ? what : `${what}; it says ${quote(said)}`
}

function countOf(outlets: readonly unknown[]): number {
  return outlets.reduce<number>((sum, it) => sum + (Array.isArray(it) ? it.length : 1), 0)
}

function complainAboutOutlets(json: unknown[], outletCount: number, complaints: Complaints): void {
  const answered = countOf(json) > 0
  if (answered && json.length > outletCount) {
    complaints.add(`${json.length} outlets answered, ${outletCount} declared; the rest is left out`)
  }
  if (answered && json.length < outletCount) {
    complaints.add(`${json.length} outlets answered, ${outletCount} declared`)
  }
}

function readOutletValues(given: unknown, index: number, complaints: Complaints): SignalData[] {
  if (given === undefined) return []
  if (!Array.isArray(given)) {
    complaints.add(`outlet ${index} is ${kindOf(given)}, not an array; it is left out`)
    return []
  }
  return given.flatMap((item) => readSignal(item, `outlet ${index}`, complaints) ?? [])
}
