import type { Database, Transaction } from '../../../foundation/database/index.ts'
import type { Invitation } from '../schema.ts'

type NewInvitation = Invitation & { readonly key: string; readonly tokenHash: string }

const columns = `id, email, role, groups, created_by as "createdBy", created_at as "createdAt",
  expires_at as "expiresAt"`

export function invitationStore(database: Database) {
  return {
    /** Replaces one that has expired; 0 if there is one that has not. */
    addInvitation: (transaction: Transaction, businessId: string, wanted: NewInvitation) =>
      transaction.run(
        `insert into accounts_invitation
          (business_id, id, email, email_key, role, groups, token_hash, created_by, created_at,
           expires_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        on conflict (business_id, email_key) do update set
          id = excluded.id, email = excluded.email, role = excluded.role,
          groups = excluded.groups, token_hash = excluded.token_hash,
          created_by = excluded.created_by, created_at = excluded.created_at,
          expires_at = excluded.expires_at
        where accounts_invitation.expires_at <= excluded.created_at`,
        [
          businessId,
          wanted.id,
          wanted.email,
          wanted.key,
          wanted.role,
          wanted.groups,
          wanted.tokenHash,
          wanted.createdBy,
          wanted.createdAt,
          wanted.expiresAt,
        ],
      ),
    countInvitations: async (businessId: string) => {
      const row = await database.one<{ count: number }>(
        'select count(*) as count from accounts_invitation where business_id = $1',
        [businessId],
      )
      return row?.count ?? 0
    },
    /** `within`: only those that see no more than these groups. The newest first. */
    invitations: (businessId: string, within: string[] | null, max: number) =>
      database.rows<Invitation>(
        `select ${columns} from accounts_invitation
        where business_id = $1 and ($2::text[] is null or groups <@ $2::text[])
        order by created_at desc, id limit $3`,
        [businessId, within, max],
      ),
    invitation: (businessId: string, within: string[] | null, id: string) =>
      database.one<Invitation>(
        `select ${columns} from accounts_invitation
        where business_id = $1 and ($2::text[] is null or groups <@ $2::text[]) and id = $3`,
        [businessId, within, id],
      ),
    renewInvitation: (
      businessId: string,
      id: string,
      { tokenHash, expiresAt }: { tokenHash: string; expiresAt: number },
    ) =>
      database.run(
        `update accounts_invitation set token_hash = $3, expires_at = $4
        where business_id = $1 and id = $2`,
        [businessId, id, tokenHash, expiresAt],
      ),
    removeInvitation: (businessId: string, id: string) =>
      database.run('delete from accounts_invitation where business_id = $1 and id = $2', [
        businessId,
        id,
      ]),
  }
}

/** An invitation by the secret of its link. */
export function acceptanceStore(database: Database) {
  return {
    invitationOfToken: (tokenHash: string) =>
      database.one<Invitation & { businessId: string; business: string }>(
        `select i.id, i.email, i.role, i.groups, i.created_by as "createdBy",
          i.created_at as "createdAt", i.expires_at as "expiresAt",
          i.business_id as "businessId", b.name as business
        from accounts_invitation i join accounts_business b on b.id = i.business_id
        where i.token_hash = $1`,
        [tokenHash],
      ),
    /** Only the first who takes it gets a row. */
    takeInvitation: (transaction: Transaction, tokenHash: string) =>
      transaction.one<{ role: string; groups: string[] | null }>(
        'delete from accounts_invitation where token_hash = $1 returning role, groups',
        [tokenHash],
      ),
  }
}
