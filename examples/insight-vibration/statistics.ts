/** Arithmetic mean; NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Root of the mean square; NaN of nothing. */
export function rms(values: readonly number[]): number {
  return Math.sqrt(mean(values.map((value) => value * value)))
}

/** Largest magnitude over the RMS; undefined of a silent signal, which has neither. */
export function crestFactor(values: readonly number[]): number | undefined {
  const effective = rms(values)
  return effective > 0 ? Math.max(...values.map(Math.abs)) / effective : undefined
}
