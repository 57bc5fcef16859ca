import type { Database } from '../database/index.ts'
import type { CheckedMail } from './message.ts'

/** A mail of the sink. */
export type StoredMail = {
  readonly id: string
  /** Null for a mail of the instance itself. */
  readonly businessId: string | null
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  /** In milliseconds since 1970. */
  readonly createdAt: number
}

type NewStored = CheckedMail & { id: string; businessId: string | null; at: number }

const columns = `id, business_id as "businessId", sender as from, recipients as to, subject,
  body_text as text, body_html as html, created_at as "createdAt"`

/** The SQL of this module. */
export function createStore(database: Database) {
  return {
    /** Adds a mail, and removes the oldest past `max`. */
    add: (mail: NewStored, max: number) =>
      database.transaction(async (transaction) => {
        await transaction.run(
          `insert into mail_message
            (id, business_id, sender, recipients, subject, body_text, body_html, created_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [
            ...[mail.id, mail.businessId, mail.from, mail.to, mail.subject],
            ...[mail.text ?? null, mail.html ?? null, mail.at],
          ],
        )
        await transaction.run(
          `delete from mail_message where id in (
            select id from mail_message order by created_at desc, id offset $1)`,
          [max],
        )
      }),
    /** The newest first. */
    list: (max: number) =>
      database.rows<StoredMail>(
        `select ${columns} from mail_message order by created_at desc, id limit $1`,
        [max],
      ),
    find: (id: string) =>
      database.one<StoredMail>(`select ${columns} from mail_message where id = $1`, [id]),
  }
}
