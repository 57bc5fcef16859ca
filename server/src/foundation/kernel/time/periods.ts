import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'

/**
 * The period for which data of one kind are kept, in hours: of businesses with a period, and of
 * others.
 */
export type PeriodsByBusiness = {
  /** Undefined: as the limits say, or for ever. */
  readonly instance: number | undefined
  readonly businesses: ReadonlyMap<string, number>
}

/** @throws Fault `invalid_argument` unless it is a period in hours, or null. */
export function checkRetentionHours(hours: number | null): void {
  const { retentionHoursMax: most } = limits
  if (hours === null || (Number.isInteger(hours) && hours >= 1 && hours <= most)) return
  throw new Fault(
    'invalid_argument',
    `A retention period must be whole hours from 1 to ${most}, or null.`,
  )
}

/** Nothing is set, so the limits hold. */
export const unsetPeriods: PeriodsByBusiness = { instance: undefined, businesses: new Map() }

/** The rows of one business, or those of all but some. */
export type PeriodPart = { readonly only: string } | { readonly except: readonly string[] }

/**
 * Removes what is older than its period, each business that has one by itself, and then all others.
 * @param otherwise hours if the instance has no period; undefined: for ever.
 * @param remove removes at most so many rows that are older than some hours; returns how many.
 */
export async function removeByPeriods(
  { instance, businesses }: PeriodsByBusiness,
  otherwise: number | undefined,
  remove: (part: PeriodPart, hours: number, rowsMax: number) => Promise<number>,
): Promise<void> {
  const rowsMax = limits.retentionBatchMax
  for (const [only, hours] of businesses) {
    while ((await remove({ only }, hours, rowsMax)) >= rowsMax);
  }
  const hours = instance ?? otherwise
  if (hours === undefined) return
  const except = [...businesses.keys()]
  while ((await remove({ except }, hours, rowsMax)) >= rowsMax);
}
