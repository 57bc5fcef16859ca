import {
  type Database,
  isOfPart,
  partValue,
  textArray,
} from '../../../foundation/database/index.ts'
import {
  type PeriodPart,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { AuditEntry } from '../schema.ts'

const match = (description: string) => Type.Optional(Type.String({ description }))
const milliseconds = (description: string) =>
  Type.Optional(Type.Integer({ description, minimum: 0 }))

export const auditFilterSchema = StrictObject({
  from: milliseconds('From this time on, in milliseconds since 1970.'),
  to: milliseconds('Before this time.'),
  subject: match('The subject, or the name that it had.'),
  source: match('Such as `console`.'),
  action: match('Such as `deleteUser`.'),
  outcome: match('Such as `done` or `forbidden`.'),
  text: match('A part of the target, whatever the case of its letters.'),
  before: Type.Optional(Type.Integer({ description: 'Before the entry with this id.' })),
})
export type AuditFilter = StaticResult<typeof auditFilterSchema>

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
    /**
     * Removes entries of one business or of all but some; at most `count`, and returns how many.
     */
    removeOldAudit: (part: PeriodPart, before: number, count: number) =>
      database.run(
        `delete from accounts_audit where id in (
           select id from accounts_audit
           where at < $1 and ${isOfPart(part, 'business_id', 3)} limit $2)`,
        [before, count, partValue(part)],
      ),
  }
}
