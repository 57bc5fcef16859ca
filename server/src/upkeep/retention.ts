import type { Database } from '../database/index.ts'
import {
  checkRetentionHours,
  Fault,
  limits,
  type PeriodsByBusiness,
  recordOf,
} from '../kernel/index.ts'
import { deletePeriod, readPeriods, type StoredPeriod, writePeriod } from './store.ts'

/** The data that have a period. */
const retentionKinds = ['log', 'values', 'lines', 'notifications', 'contents', 'audit'] as const
export type RetentionKind = (typeof retentionKinds)[number]

/** Hours by kind; null: none is set there. */
export type RetentionPeriods = Readonly<Record<RetentionKind, number | null>>

/** How long data are kept: what the operator has set, of the instance and of businesses. */
export type Retention = {
  /** What is set of the instance itself, or of one business itself. */
  of(businessId: string | null): Promise<RetentionPeriods>
  /** Changes what is named; null takes it away. @throws Fault `invalid_argument`. */
  set(businessId: string | null, change: Partial<RetentionPeriods>): Promise<void>
  /** All that is set, by kind. */
  periods(): Promise<Readonly<Record<RetentionKind, PeriodsByBusiness>>>
}

export function createRetention({ database }: { readonly database: Database }): Retention {
  return {
    async of(businessId) {
      const owner = businessId ?? ''
      const stored = await readPeriods(database, owner)
      return byKind((kind) => hoursIn(stored, owner, kind) ?? null)
    },
    async set(businessId, change) {
      const entries = retentionKinds.flatMap((kind) => {
        const hours = change[kind]
        return hours === undefined ? [] : [{ kind, hours }]
      })
      for (const { kind, hours } of entries) check(businessId, kind, hours)
      await database.transaction(async (transaction) => {
        for (const { kind, hours } of entries) {
          const owner = businessId ?? ''
          if (hours === null) await deletePeriod(transaction, owner, kind)
          else await writePeriod(transaction, { businessId: owner, kind, hours })
        }
      })
    },
    async periods() {
      const stored = await readPeriods(database)
      return byKind((kind) => {
        const own = stored.filter((one) => one.kind === kind && one.businessId !== '')
        const businesses = new Map(own.map(({ businessId, hours }) => [businessId, hours]))
        return { instance: hoursIn(stored, '', kind), businesses }
      })
    },
  }
}

const byKind = <Value>(of: (kind: RetentionKind) => Value) => recordOf(retentionKinds, of)

function hoursIn(stored: readonly StoredPeriod[], owner: string, kind: RetentionKind) {
  return stored.find((one) => one.businessId === owner && one.kind === kind)?.hours
}

/** @throws Fault `invalid_argument`. */
function check(businessId: string | null, kind: RetentionKind, hours: number | null): void {
  checkRetentionHours(hours)
  if (kind !== 'log' || hours === null) return
  if (businessId !== null) {
    throw new Fault('invalid_argument', 'The log has one period: that of the instance.')
  }
  // As of the limit: a clock that jumps a little must leave half of the log.
  const least = 2 * limits.upkeepGapHoursMax + 1
  if (hours >= least) return
  throw new Fault('invalid_argument', `The log is kept for at least ${least} hours.`)
}
