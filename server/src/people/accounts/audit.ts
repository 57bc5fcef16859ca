import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  checkedPage,
  type Logger,
  limits,
  type PeriodsByBusiness,
  removeByPeriods,
  toFault,
  unsetPeriods,
} from '../../foundation/kernel/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import { requireWhole } from '../groups/index.ts'
import { type Principal, requirePermission } from './permissions.ts'
import type { AuditEntry } from './schema.ts'
import type { AuditFilter } from './store/audit.ts'
import type { Store } from './store/store.ts'

/** Days for which such an address is remembered after its last sign-in. */
const familiarAddressDays = 90
/** Days for which invitations, links and sessions stay listed once they have expired. */
const expiredLinkDays = 30
/** The name of that to which something was done, in the audit log. */
const auditTargetCharsMax = 300

export type AuditSource = 'console' | 'cli' | 'management' | 'graphql'

/** An action of a person or program, as the audit log notes it. */
export type AuditedAction = {
  readonly by: Pick<Principal, 'businessId' | 'subject' | 'address'>
  readonly source: AuditSource
  readonly action: string
  readonly target: string
}

export type Audit = {
  /** Runs something, and notes who did it with what came of it; refusals are noted, too. */
  audited<Result>(action: AuditedAction, run: () => Promise<Result>): Promise<Result>
  /** The newest first. Faults: invalid_argument, forbidden for who may not read it. */
  listAudit(by: Principal, filter?: AuditFilter, limit?: number): Promise<AuditEntry[]>
  /**
   * Removes entries that are older than their period, or limits.auditDays, and links and sessions
   * that have expired.
   */
  sweep(periods?: PeriodsByBusiness): Promise<void>
}

/** Notes what is not a call of a caller who was authenticated before. */
export type AuditNote = Audit['audited']

export type AuditOptions = {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly database: Pick<Database, 'afterCommit'>
  readonly changes: Changes
}

const auditPermission = 'User Management'

/** True for those who may read the audit log, in which people of all groups stand. */
export function readsAudit({ permissions, view }: Principal): boolean {
  return permissions.has(auditPermission) && view.groups === 'all'
}

const dayMs = 86_400_000
const hourMs = 3_600_000
const hoursPerDay = 24

export function createAudit(options: AuditOptions): Audit {
  const { database, store, clock, logger, changes } = options

  /** An action stays done if it could not be noted: then the log has it. */
  async function note({ by, source, action, target }: AuditedAction, outcome: string) {
    const { businessId, subject, address = '' } = by
    const cut = target.replaceAll('\0', '').slice(0, auditTargetCharsMax).toWellFormed()
    const entry = { at: clock.nowMs(), subject, source, address, action, target: cut, outcome }
    await store.addAudit(businessId, entry).catch((error: unknown) => {
      logger.error({ err: error, businessId, ...entry }, 'an entry of the audit log was not kept')
    })
    changes.publish(database, businessId, 'audit')
  }

  return {
    async audited(action, run) {
      try {
        const result = await run()
        await note(action, 'done')
        return result
      } catch (error) {
        await note(action, toFault(error).code)
        throw error
      }
    },
    async listAudit(by, filter = {}, limit) {
      requirePermission(by, auditPermission)
      requireWhole(by.view, 'The audit log')
      // Entries without a business are the operator's, who alone reads them.
      const whose = by.subject === 'operator' ? [by.businessId, ''] : [by.businessId]
      return store.audit(whose, filter, checkedPage({ limit }).limit)
    },
    async sweep(periods = unsetPeriods) {
      const now = clock.nowMs()
      await removeByPeriods(periods, limits.auditDays * hoursPerDay, (part, hours, count) =>
        store.removeOldAudit(part, now - hours * hourMs, count),
      )
      await store.removeOldLinks(now - expiredLinkDays * dayMs)
      await store.removeOldSignIns(now)
      const familiar = now - familiarAddressDays * dayMs
      await store.removeOldAttempts(now - limits.lockoutForgottenMs, familiar)
    },
  }
}
