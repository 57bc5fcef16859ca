import { type Database, isOfPart, partValue, textArray } from '../../database/index.ts'
import type { PeriodPart } from '../../kernel/index.ts'
import type { AuditEntry } from '../schema.ts'

/** What is left out is not asked for. Times are in milliseconds; `before` is an id. */
export type AuditFilter = {
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly subject?: string | undefined
  readonly source?: string | undefined
  readonly action?: string | undefined
  readonly outcome?: string | undefined
  /** A part of the target, whatever the case of its letters. */
  readonly text?: string | undefined
  readonly before?: number | undefined
}

export function auditStore(database: Database) {
  return {
    addAudit: (businessId: string, entry: Omit<AuditEntry, 'id' | 'name'>) =>
      database.run(
        `insert into accounts_audit
          (business_id, at, subject, name, source, address, action, target, outcome)
        select $1::text, $2::bigint, $3::text, coalesce(
          (select email from accounts_user
            where business_id = $1 and $3 = 'user:' || id),
          (select name from accounts_token
            where business_id = $1 and $3 = 'token:' || id), ''),
          $4::text, $5::text, $6::text, $7::text, $8::text`,
        [
          businessId,
          entry.at,
          entry.subject,
          entry.source,
          entry.address,
          entry.action,
          entry.target,
          entry.outcome,
        ],
      ),
    /** The newest first. */
    audit: (businessIds: readonly string[], filter: AuditFilter, max: number) =>
      database.rows<AuditEntry>(
        `select id, at, subject, name, source, address, action, target, outcome
        from accounts_audit
        where business_id = any($1)
          and ($2::bigint is null or at >= $2) and ($3::bigint is null or at < $3)
          and ($4::text is null or subject = $4 or name = $4)
          and ($5::text is null or source = $5) and ($6::text is null or action = $6)
          and ($7::text is null or outcome = $7) and ($8::bigint is null or id < $8)
          and ($9::text is null or strpos(lower(target), lower($9)) > 0)
        order by id desc limit $10`,
        [
          textArray(businessIds),
          filter.from ?? null,
          filter.to ?? null,
          filter.subject ?? null,
          filter.source ?? null,
          filter.action ?? null,
          filter.outcome ?? null,
          filter.before ?? null,
          filter.text ?? null,
          max,
        ],
      ),
    /** Of one business or of all but some; at most `count`, and returns how many. */
    removeOldAudit: (part: PeriodPart, before: number, count: number) =>
      database.run(
        `delete from accounts_audit where id in (
           select id from accounts_audit
           where at < $1 and ${isOfPart(part, 'business_id', 3)} limit $2)`,
        [before, count, partValue(part)],
      ),
  }
}
