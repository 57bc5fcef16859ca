import type { Queryable } from '../../../foundation/database/index.ts'
import type { AuthorityRow } from './authorities.ts'

/** The authority of the instance. If several processes insert one together, the first counts. */
export async function insertServerAuthority(
  database: Queryable,
  { certificate, sealedKey, createdAt }: AuthorityRow,
): Promise<void> {
  await database.run(
    `insert into provisioning_server_authority (id, certificate, sealed_key, created_at)
     values (1, $1, $2, $3::bigint) on conflict (id) do nothing`,
    [certificate, sealedKey, createdAt],
  )
}

export async function replaceServerAuthority(
  database: Queryable,
  { certificate, sealedKey, createdAt }: AuthorityRow,
): Promise<void> {
  await database.run(
    `insert into provisioning_server_authority (id, certificate, sealed_key, created_at)
     values (1, $1, $2, $3::bigint)
     on conflict (id) do update set certificate = excluded.certificate,
       sealed_key = excluded.sealed_key, created_at = excluded.created_at`,
    [certificate, sealedKey, createdAt],
  )
}

export async function readServerAuthority(database: Queryable): Promise<AuthorityRow | undefined> {
  return database.one<AuthorityRow>(
    `select certificate, sealed_key as "sealedKey", created_at as "createdAt"
     from provisioning_server_authority`,
  )
}
