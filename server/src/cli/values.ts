import { UsageError } from './command.ts'

/** @throws UsageError */
export function wholeNumber(name: string, text: string | undefined): number {
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} is a whole number`)
}

/** Microseconds as people read them. */
export function timeOf(us: number): string {
  const ms = Math.floor(us / 1_000)
  const last = 8.64e15
  return ms > last ? `${us} us` : new Date(ms).toISOString()
}
