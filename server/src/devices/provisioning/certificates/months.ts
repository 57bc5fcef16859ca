/**
 * So many calendar months later, at the same time of day in UTC: a month after 31 January is the
 * last day of February. Milliseconds since 1970.
 */
export function addMonths(ms: number, months: number): number {
  const start = new Date(ms)
  const day = start.getUTCDate()
  const then = new Date(ms)
  then.setUTCDate(1)
  then.setUTCMonth(then.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate()
  then.setUTCDate(Math.min(day, lastDay))
  return then.getTime()
}
