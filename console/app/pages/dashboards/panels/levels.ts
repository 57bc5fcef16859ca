type Limits = { readonly warning?: number; readonly critical?: number }

/**
 * The level of a value by the limits of a panel; undefined if there is no limit or no number. If
 * `critical` is under `warning`, low values are the bad ones.
 */
export function levelFor(value: unknown, { warning, critical }: Limits) {
  if (typeof value !== 'number') return undefined
  if (warning === undefined && critical === undefined) return undefined
  const isLow = warning !== undefined && critical !== undefined && critical < warning
  const reaches = (limit: number | undefined) =>
    limit !== undefined && (isLow ? value <= limit : value >= limit)
  if (reaches(critical)) return 'critical'
  return reaches(warning) ? 'warning' : 'normal'
}
