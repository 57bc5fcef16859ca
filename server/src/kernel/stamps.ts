/** Seconds are below this until the year 5138, microseconds above the next one since 1973. */
const secondsBelow = 1e11
const usFrom = 1e14

/** The unit of a time since 1970, which its size says. */
export function unitOfStamp(value: number): 'seconds' | 'milliseconds' | 'microseconds' {
  if (value < secondsBelow) return 'seconds'
  return value < usFrom ? 'milliseconds' : 'microseconds'
}

/**
 * The end of a sentence that refuses a time for its unit; undefined for one in microseconds, and
 * for 0, which is the beginning in every unit.
 */
export function refuseUnit(us: number): string | undefined {
  const unit = unitOfStamp(us)
  if (us === 0 || unit === 'microseconds') return undefined
  return `must be in microseconds since 1970: by its size ${us} is in ${unit}`
}
