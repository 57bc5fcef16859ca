/** By time zone; there are only so many of them. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns true for the name of a time zone such as `Asia/Kolkata`, and for `+05:30`. */
export function isTimeZone(name: string): boolean {
  try {
    return formatFor(name) !== undefined
  } catch {
    return false
  }
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  formats.set(timeZone, format)
  return format
}

/** Returns a function from milliseconds since 1970 to the minutes that a zone is ahead of UTC. */
export function zoneMinutes(timeZone: string): (ms: number) => number {
  const format = formatFor(timeZone)
  let [quarter, minutes] = [Number.NaN, 0]
  return (ms) => {
    // Clocks change at whole quarters of an hour.
    const at = Math.floor(ms / quarterMs)
    if (at !== quarter) {
      const parts = format.formatToParts(ms)
      const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
      const [, sign, hour = '0', minute = '0'] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? []
      minutes = (sign === '-' ? -1 : 1) * (Number(hour) * 60 + Number(minute))
      quarter = at
    }
    return minutes
  }
}

const quarterMs = 15 * 60_000
