import { type BusinessRows, type Database, rowsByIndex } from '../database/index.ts'
import { component, Nullable, type StaticResult, Type } from '../kernel/index.ts'
import type { CheckedMail } from './message.ts'

/** A mail of the sink, without its texts. */
const mailHeadFields = {
  id: Type.String(),
  businessId: Nullable(Type.String(), { description: 'Null for a mail of the instance itself.' }),
  from: Type.String(),
  replyTo: Nullable(Type.String(), { description: 'Null: answers go to the sender.' }),
  to: Type.Array(Type.String()),
  subject: Type.String(),
  createdAt: Type.Integer({ description: 'Milliseconds since 1970.' }),
}
export const mailHeadSchema = component('MailHead', mailHeadFields)

export const storedMailSchema = component('StoredMail', {
  ...mailHeadFields,
  text: Nullable(Type.String()),
  html: Nullable(Type.String()),
})
export type StoredMail = StaticResult<typeof storedMailSchema>

type NewStored = CheckedMail & { id: string; businessId: string | null; at: number }

const columns = `id, business_id as "businessId", sender as from, reply_to as "replyTo",
  recipients as to, subject,
  body_text as text, body_html as html, created_at as "createdAt"`

/** The SQL of this module. */
export function createStore(database: Database) {
  return {
    /** Adds a mail, and removes the oldest past `max`. */
    add: (mail: NewStored, max: number) =>
      database.transaction(async (transaction) => {
        await transaction.run(
          `insert into mail_message
            (id, business_id, sender, recipients, subject, body_text, body_html, created_at,
             reply_to)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          [
            mail.id,
            mail.businessId,
            mail.from,
            mail.to,
            mail.subject,
            mail.text ?? null,
            mail.html ?? null,
            mail.at,
            mail.replyTo ?? null,
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
    /** In their order. */
    async senders(businessId: string): Promise<string[]> {
      const rows = await database.rows<{ sender: string }>(
        'select sender from mail_sender where business_id = $1 order by sender',
        [businessId],
      )
      return rows.map(({ sender }) => sender)
    },
    /** @returns false if the business has `max` others. */
    addSender: (businessId: string, sender: string, max: number) =>
      database.transaction(async (transaction) => {
        await transaction.run(
          'insert into mail_sender (business_id, sender) values ($1, $2) on conflict do nothing',
          [businessId, sender],
        )
        const row = await transaction.one<{ count: number }>(
          'select count(*) as count from mail_sender where business_id = $1',
          [businessId],
        )
        if ((row?.count ?? 0) <= max) return true
        const text = 'delete from mail_sender where business_id = $1 and sender = $2'
        await transaction.run(text, [businessId, sender])
        return false
      }),
    async removeSender(businessId: string, sender: string): Promise<boolean> {
      const text = 'delete from mail_sender where business_id = $1 and sender = $2'
      return (await database.run(text, [businessId, sender])) > 0
    },
  }
}

/** The mails that are kept of a business. */
export const mailRows: BusinessRows = rowsByIndex('mail_sender')
