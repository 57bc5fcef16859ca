import { unitOfStamp } from '../../../foundation/kernel/index.ts'

const usPerSecond = 1_000_000
const pattern = /^\d{1,17}(\.\d{1,6})?$/

/**
 * Reads a time in seconds or in microseconds since 1970: its size decides.
 * @returns microseconds; undefined where it is neither, such as milliseconds.
 */
export function parseStamp(text: string): number | undefined {
  if (!pattern.test(text)) return undefined
  const value = Number(text)
  const unit = unitOfStamp(value)
  if (unit === 'seconds') return Math.round(value * usPerSecond)
  return unit === 'microseconds' && Number.isSafeInteger(value) ? value : undefined
}
