import type { Database } from '../../foundation/database/index.ts'
import {
  checkRetentionHours,
  Fault,
  limits,
  makeRecord,
  type PeriodsByBusiness,
} from '../../foundation/kernel/index.ts'
import {
  type RetentionChange,
  type RetentionInForce,
  type RetentionKind,
  type RetentionPeriods,
  retentionKinds,
} from './schema.ts'
import { deletePeriod, readPeriods, type StoredPeriod, writePeriod } from './store.ts'

/**
 * The periods for which data are kept, as the operator has set them for the instance and
 * businesses.
 */
export type Retention = {
  /** The periods that are set for the instance itself, or for one business itself. */
  of(businessId: string | null): Promise<RetentionPeriods>
  /** Changes what is named, and returns what is set. @throws Fault `invalid_argument`. */
  set(businessId: string | null, change: RetentionChange): Promise<RetentionPeriods>
  /** The periods of one business, and what says so. Lines of assets have a limit of their own. */
  inForce(businessId: string): Promise<RetentionInForce>
  /** All that is set, by kind. */
  periods(): Promise<Readonly<Record<RetentionKind, PeriodsByBusiness>>>
}

export function createRetention({ database }: { readonly database: Database }): Retention {
  async function of(businessId: string | null): Promise<RetentionPeriods> {
    const owner = businessId ?? ''
    const stored = await readPeriods(database, owner)
    return byKind((kind) => hoursIn(stored, owner, kind) ?? null)
  }

  return {
    of,
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
      return of(businessId)
    },
    async inForce(businessId) {
      const [own, instance, byDefault] = [await of(businessId), await of(null), defaults()]
      return byKind((kind) => {
        if (own[kind] !== null) return { hours: own[kind], setBy: 'business' }
        if (instance[kind] !== null) return { hours: instance[kind], setBy: 'instance' }
        return { hours: byDefault[kind], setBy: 'default' }
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

/** The periods of the limits; null: for ever. */
const defaults = (): RetentionPeriods => ({
  log: limits.logRetentionHours,
  values: null,
  lines: limits.lineRetentionHours,
  notifications: limits.notificationHours,
  contents: null,
  audit: limits.auditDays * hoursPerDay,
})

const hoursPerDay = 24

const byKind = <Value>(of: (kind: RetentionKind) => Value) => makeRecord(retentionKinds, of)

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
