import type { Queryable } from '../../../foundation/database/index.ts'
import type { Tag } from '../identities/identity.ts'
import { awaits } from './identities.ts'

/** Selects identities; all if no field is given. */
export type IdentityFilter = {
  readonly identity: string | undefined
  /** They have a tag with at least these. */
  readonly tag: { readonly name: string; readonly value?: string } | undefined
}

/**
 * Moves deadlines forward, of those that wait for an activation; one that is later already, or
 * that has no deadline, stays.
 * @param until microseconds; null: no deadline.
 * @returns how many windows are longer now.
 */
export async function extendWindows(
  database: Queryable,
  connectorId: string,
  until: number | null,
  { identity, tag }: IdentityFilter,
): Promise<number> {
  return database.run(
    `update provisioning_identity as i set activate_until = $2::bigint
     where i.connector_id = $1 and ${awaits}
       and i.activate_until is not null
       and ($2::bigint is null or i.activate_until < $2::bigint)
       and ($3::text is null or i.identity = $3::text)
       and ($4::jsonb is null or i.tags @> $4::jsonb)`,
    [connectorId, until, identity ?? null, tag === undefined ? null : JSON.stringify([tag])],
  )
}

/** A window that is open. */
export type WindowRow = {
  readonly identity: string
  readonly activate_until: number
  readonly locked: boolean
  readonly tags: readonly Tag[]
}

/** A place in the order of deadlines, then of identities. */
export type WindowCursor = { readonly until: number; readonly identity: string | undefined }

/** The windows that close after a place and before a time, the next one first. */
export async function listWindows(
  database: Queryable,
  connectorId: string,
  after: WindowCursor,
  { before, rowsMax }: { readonly before: number | undefined; readonly rowsMax: number },
): Promise<WindowRow[]> {
  return database.rows<WindowRow>(
    `select i.identity, i.activate_until, i.locked, i.tags
     from provisioning_identity i
     where i.connector_id = $1 and ${awaits}
       and i.activate_until >= $2::bigint
       and (i.activate_until > $2::bigint or i.identity > $3::text)
       and ($4::bigint is null or i.activate_until < $4::bigint)
     order by i.activate_until, i.identity
     limit $5`,
    [connectorId, after.until, after.identity ?? null, before ?? null, rowsMax],
  )
}
