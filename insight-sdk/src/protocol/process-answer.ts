import { Complaints, describeType, isObject, quote, type Refused } from './reading.ts'
import { readSignal } from './signal.ts'
import type { SignalData } from './types.ts'

export type AnswerLimits = {
  /** Values in the whole answer, all outlets together. More are an error. */
  readonly valuesMax: number
}

/** The values of each outlet, what was odd about them, and what was left out as unusable. */
type ProcessAnswer = {
  readonly value: SignalData[][]
  readonly complaints: string[]
  /** A sentence for each kind of output that is lost with it. */
  readonly unusable: string[]
  readonly error?: undefined
}

/**
 * Reads the answer of the process call.
 *
 * @param outletCount how many outlets the function declares; the value has exactly as many arrays
 * @returns the values of each outlet. `null` is no output, and outlets that nobody declared are
 *   left out: both with a complaint. Output that cannot be read is unusable, and the rest is used.
 *   An answer that is not an array, or that breaks the limits, is an error: nothing of it is used.
 */
export function readProcessAnswer(
  json: unknown,
  outletCount: number,
  limits: AnswerLimits,
): ProcessAnswer | Refused {
  if (!Array.isArray(json)) return { error: formatRefusal(json) }
  if (countSignals(json) > limits.valuesMax) {
    return { error: `the answer holds more than ${limits.valuesMax} values` }
  }
  const complaints = new Complaints()
  complainAboutOutlets(json, outletCount, complaints)
  const unusable = new Complaints()
  const value = Array.from({ length: outletCount }, (_, index) =>
    readOutletValues(json[index], index, complaints, unusable),
  )
  return { value, complaints: complaints.list(), unusable: unusable.list() }
}

function formatRefusal(json: unknown): string {
  const said = isObject(json) && typeof json.message === 'string' ? json.message : undefined
  const what = `the answer is ${describeType(json)}, not an array of arrays`
  return said === undefined ? what : `${what}; it says ${quote(said)}`
}

function countSignals(outlets: readonly unknown[]): number {
  return outlets.reduce<number>((sum, it) => sum + (Array.isArray(it) ? it.length : 1), 0)
}

function complainAboutOutlets(json: unknown[], outletCount: number, complaints: Complaints): void {
  const answered = countSignals(json) > 0
  if (answered && json.length > outletCount) {
    complaints.add(`${json.length} outlets answered, ${outletCount} declared; the rest is left out`)
  }
  if (answered && json.length < outletCount) {
    complaints.add(`${json.length} outlets answered, ${outletCount} declared`)
  }
}

function readOutletValues(
  given: unknown,
  index: number,
  complaints: Complaints,
  unusable: Complaints,
): SignalData[] {
  const name = `outlet ${index}`
  if (given === undefined) return []
  if (given === null) complaints.add(`${name} is null, taken as no output`)
  else if (!Array.isArray(given)) unusable.add(`${name} is ${describeType(given)}, not an array`)
  if (!Array.isArray(given)) return []
  return given.flatMap((item) => readSignal(item, name, complaints, unusable) ?? [])
}
