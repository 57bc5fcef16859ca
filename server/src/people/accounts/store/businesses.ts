import type { Database, Queryable, Transaction } from '../../../foundation/database/index.ts'
import type { Role } from '../permissions.ts'
import type { Business, ListedRole } from '../schema.ts'

export function businessStore(database: Database) {
  const columns = 'id, name'
  return {
    addBusiness: (transaction: Transaction, { id, name }: Business, at: number) =>
      transaction.run(
        `insert into accounts_business (id, name, created_at) values ($1, $2, $3)
        on conflict do nothing`,
        [id, name, at],
      ),
    businessNamed: (nameOrId: string) =>
      database.one<Business>(
        `select ${columns} from accounts_business
        where (id = $1 or name = $1) and removed_at is null
        order by (id = $1) desc limit 1`,
        [nameOrId],
      ),
    demandsTotp: async (businessId: string) => {
      const row = await database.one<{ demanded: boolean }>(
        'select totp_demanded as demanded from accounts_business where id = $1',
        [businessId],
      )
      return row?.demanded ?? false
    },
    setTotpDemanded: (businessId: string, isDemanded: boolean) =>
      database.run('update accounts_business set totp_demanded = $2 where id = $1', [
        businessId,
        isDemanded,
      ]),
    businesses: (max: number) =>
      database.rows<Business>(
        `select ${columns} from accounts_business where removed_at is null
        order by created_at, id limit $1`,
        [max],
      ),
  }
}

export function roleStore(database: Database) {
  return {
    addRole: (on: Queryable, businessId: string, role: Role) =>
      on.run(
        `insert into accounts_role (business_id, name, permissions) values ($1, $2, $3)
        on conflict do nothing`,
        [businessId, role.name, role.permissions],
      ),
    role: (businessId: string, name: string) =>
      database.one<ListedRole>(
        `select name, permissions,
          json_build_object('requests', rate_requests, 'timeMs', rate_ms) as "rateLimits"
        from accounts_role where business_id = $1 and name = $2`,
        [businessId, name],
      ),
    setRoleRates: (
      businessId: string,
      name: string,
      { requests, timeMs }: ListedRole['rateLimits'],
    ) =>
      database.run(
        `update accounts_role set rate_requests = $3, rate_ms = $4
        where business_id = $1 and name = $2`,
        [businessId, name, requests, timeMs],
      ),
    roles: (businessId: string, max: number) =>
      database.rows<ListedRole>(
        `select name, permissions,
          json_build_object('requests', rate_requests, 'timeMs', rate_ms) as "rateLimits"
        from accounts_role where business_id = $1 order by name limit $2`,
        [businessId, max],
      ),
    /** Holds every role of the business until the transaction ends: changes follow one another. */
    holdRoles: (transaction: Transaction, businessId: string) =>
      transaction.rows<Role>(
        `select name, permissions from accounts_role where business_id = $1
        order by name for update`,
        [businessId],
      ),
    changeRole: (transaction: Transaction, businessId: string, role: Role) =>
      transaction.run(
        'update accounts_role set permissions = $3 where business_id = $1 and name = $2',
        [businessId, role.name, role.permissions],
      ),
    removeRole: (transaction: Transaction, businessId: string, name: string) =>
      transaction.run('delete from accounts_role where business_id = $1 and name = $2', [
        businessId,
        name,
      ]),
  }
}
