import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'
import { andSeen, seenValues, type View } from '../../../people/groups/index.ts'
import type { Status, Tag } from '../identities/identity.ts'
import {
  awaits,
  closed,
  type IdentityRow,
  identityColumns,
  status as statusOf,
} from './identities.ts'

/** Selects identities of a connector. */
export type IdentityFilters = {
  /** A `like` pattern. */
  readonly like: string | undefined
  readonly status: Status | undefined
  /** An address or a CIDR range. */
  readonly addresses: string | undefined
  /** The wanted tags; an identity must have all. */
  readonly tags: readonly Partial<Tag>[]
  /** True if it was seen between these times, in microseconds. */
  readonly online?: { readonly is: boolean; readonly from: number; readonly to: number } | undefined
  /** These identities alone. */
  readonly names?: readonly string[]
  /** The view of the reader; devices outside of its groups are left out. */
  readonly view: View
}

/** A page of a list. */
export type IdentityQuery = IdentityFilters & {
  readonly rowsMax: number
  /** The place after which the page begins: last seen then, and after this identity. */
  readonly after: { readonly lastseen: number; readonly identity: string | undefined } | undefined
}

/** The columns that `identityColumns` selects. */
export const identityNames = `identity, locked, reprovision, devmode, activate_until, auth_type,
  certificate_given, tags, status, lastip, lastseen`

/** The zone of a link-local address only names the interface by which it came. */
const lastAddress = `nullif(split_part(p.lastip, '%', 1), '')::inet`

// The same as `status` of identities.ts, each as a condition that a partial index can serve.
const unlocked = 'not i.locked'
const settled = 'i.provisioned_at is not null and not i.reprovision'
export const statusIs: Readonly<Record<Status, string>> = {
  locked: 'i.locked',
  expired: `${unlocked} and ${awaits} and ${closed}`,
  whitelisted: `${unlocked} and i.provisioned_at is null and not ${closed}`,
  reprovision: `${unlocked} and i.provisioned_at is not null and i.reprovision and not ${closed}`,
  devmode: `${unlocked} and ${settled} and i.devmode`,
  provisioned: `${unlocked} and ${settled} and not i.devmode`,
}

/** Parameters: `$1` connector, `$2` clock, `$3` and `$4` the place, `$5` rows, then the filters. */
function filterConditions(filters: IdentityFilters, first = 6) {
  const { like, status, addresses, tags, names, online, view } = filters
  const conditions: string[] = status === undefined ? [] : [statusIs[status]]
  const values: unknown[] = []
  const add = (value: unknown, condition: (parameter: string) => string) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(condition(`$${values.length + first - 1}`))
  }
  add(like, (parameter) => `i.identity like ${parameter}::text`)
  add(addresses, (parameter) => `${lastAddress} <<= ${parameter}::inet`)
  add(names && textArray(names), (parameter) => `i.identity = any(${parameter}::text[])`)
  if (online !== undefined) {
    const [from, to] = [values.push(online.from), values.push(online.to)]
    const between = `between $${from + first - 1}::bigint and $${to + first - 1}::bigint`
    conditions.push(`coalesce(p.lastseen, 0) ${online.is ? '' : 'not '}${between}`)
  }
  for (const tag of tags) {
    add(JSON.stringify([tag]), (parameter) => `i.tags @> ${parameter}::jsonb`)
  }
  const said = conditions.map((one) => ` and ${one}`).join('')
  if (view.groups === 'all') return { conditions: said, values }
  const business = first + values.push(view.businessId) - 1
  values.push(...seenValues(view))
  const seen = andSeen(view, 'i.group_id', business + 1, `$${business}::text`)
  return { conditions: said + seen, values }
}

/**
 * Reads a page by one statement: of those that were seen no more than the page, along the index of
 * that order; of those that never were as many as are missing then.
 */
export function listStatement(connectorId: string, nowUs: number, page: IdentityQuery) {
  const { after, rowsMax, status } = page
  const { conditions, values } = filterConditions(page)
  // Only a device that was provisioned is ever seen, and it stays provisioned.
  const mayBeSeen = status === 'whitelisted' ? 'and false' : ''
  const text = `with seen as materialized (
      select ${identityColumns}
      from provisioning_presence p join provisioning_identity i
        on i.connector_id = p.connector_id and i.identity = p.identity
      where p.connector_id = $1 and i.connector_id = $1
        and p.lastseen <= coalesce($3::bigint, 9223372036854775807)
        and ($3::bigint is null or p.lastseen < $3::bigint or p.identity > $4::text)
        ${mayBeSeen}${conditions}
      order by p.lastseen desc, p.identity
      limit $5::bigint),
    unseen as (
      select ${identityColumns}
      from provisioning_identity i left join provisioning_presence p on false
      where i.connector_id = $1 and not i.seen
        and i.identity > case when $3::bigint = 0 then $4::text else '' end${conditions}
        and (select count(*) from seen) < $5::bigint
      order by i.identity
      limit $5::bigint)
    select ${identityNames} from (
      select ${identityNames} from seen union all select ${identityNames} from unseen) as page
    order by coalesce(lastseen, 0) desc, identity
    limit $5::bigint`
  const { lastseen = null, identity = null } = after ?? {}
  return { text, values: [connectorId, nowUs, lastseen, identity, rowsMax, ...values] }
}

/** Last seen first; those that never were come last, by name. */
export async function listIdentities(
  database: Queryable,
  connectorId: string,
  nowUs: number,
  page: IdentityQuery,
): Promise<IdentityRow[]> {
  const { text, values } = listStatement(connectorId, nowUs, page)
  return database.rows<IdentityRow>(text, values)
}

/** An order of a list, and the page's place in it. */
export type OrderedPage = IdentityFilters & {
  readonly rowsMax: number
  readonly offset: number
  readonly order: readonly IdentityOrder[]
}

export type IdentityOrder = {
  readonly by: 'identity' | 'lastseen'
  readonly isDescending: boolean
}

const presence = `provisioning_identity i left join provisioning_presence p
  on p.connector_id = i.connector_id and p.identity = i.identity`

const orderColumns: Readonly<Record<IdentityOrder['by'], string>> = {
  identity: 'i.identity',
  lastseen: 'coalesce(p.lastseen, 0)',
}

/** A page in another order than the usual one, or with rows skipped; it sorts what it selects. */
export async function listOrdered(
  database: Queryable,
  connectorId: string,
  nowUs: number,
  page: OrderedPage,
): Promise<IdentityRow[]> {
  const { conditions, values } = filterConditions(page, 5)
  const columns = page.order.map(
    ({ by, isDescending }) => `${orderColumns[by]}${isDescending ? ' desc' : ''}`,
  )
  return database.rows<IdentityRow>(
    `select ${identityColumns} from ${presence}
     where i.connector_id = $1 and ($2::bigint is not null)${conditions}
     order by ${[...columns, 'i.identity'].join(', ')}
     limit $3::bigint offset $4::bigint`,
    [connectorId, nowUs, page.rowsMax, page.offset, ...values],
  )
}

/** A page in the order of names, which stays the same whatever devices do meanwhile. */
export type PageByName = {
  /** The name after which it begins; empty: at the first. */
  readonly after: string
  readonly rowsMax: number
  /** True: the identities are locked until the end of the transaction, and are as they are now. */
  readonly isHeld: boolean
}

/** The names of a page of identities, each with its status. */
export async function readByName(
  transaction: Transaction,
  connectorId: string,
  nowUs: number,
  filters: IdentityFilters,
  { after, rowsMax, isHeld }: PageByName,
): Promise<Pick<IdentityRow, 'identity' | 'status'>[]> {
  const { conditions, values } = filterConditions(filters, 5)
  return transaction.rows(
    `select i.identity, ${statusOf} as status from ${presence}
     where i.connector_id = $1 and i.identity > $3::text${conditions}
     order by i.identity
     limit $4::bigint ${isHeld ? 'for update of i' : ''}`,
    [connectorId, nowUs, after, rowsMax, ...values],
  )
}

/** A page of identities in the order of names. */
export async function listByName(
  database: Queryable,
  connectorId: string,
  nowUs: number,
  filters: IdentityFilters,
  { after, rowsMax }: Omit<PageByName, 'isHeld'>,
): Promise<IdentityRow[]> {
  const { conditions, values } = filterConditions(filters, 5)
  return database.rows<IdentityRow>(
    `select ${identityColumns} from ${presence}
     where i.connector_id = $1 and ($2::bigint is not null) and i.identity > $3::text${conditions}
     order by i.identity limit $4::bigint`,
    [connectorId, nowUs, after, rowsMax, ...values],
  )
}

/** Counts the identities that the filters select. */
export async function countIdentities(
  database: Queryable,
  connectorId: string,
  nowUs: number,
  filters: IdentityFilters,
): Promise<number> {
  const { conditions, values } = filterConditions(filters, 3)
  const row = await database.one<{ count: number }>(
    `select count(*) as count from ${presence}
     where i.connector_id = $1 and ($2::bigint is not null)${conditions}`,
    [connectorId, nowUs, ...values],
  )
  return row?.count ?? 0
}

/** Names of a connector's identities after one, in their order. */
export async function readNames(
  database: Queryable,
  connectorId: string,
  { after, like, rowsMax }: { after: string; like: string; rowsMax: number },
): Promise<string[]> {
  const rows = await database.rows<{ identity: string }>(
    `select identity from provisioning_identity
     where connector_id = $1 and identity > $2 and identity like $3
     order by identity limit $4`,
    [connectorId, after, like, rowsMax],
  )
  return rows.map(({ identity }) => identity)
}

/** The names of tags that identities of a connector have, in their order, each once. */
export async function readTagNames(
  database: Queryable,
  connectorId: string,
  rowsMax: number,
): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    `select distinct tag ->> 'name' as name
     from provisioning_identity, jsonb_array_elements(tags) as tag
     where connector_id = $1 order by name limit $2`,
    [connectorId, rowsMax],
  )
  return rows.map(({ name }) => name)
}
