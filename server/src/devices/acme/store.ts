import { databaseClock, type Queryable } from '../../foundation/database/index.ts'
import { presentUntil } from '../../foundation/kernel/index.ts'

/** A lease that ends later was made by a clock that ran ahead. */
const longestUs = 3_600_000_000

/** The settings that processes share: the names stand in order. */
export type Subject = { readonly url: string; readonly names: string }

export type CertificateRow = {
  /** With its chain, PEM. */
  readonly certificate: string
  readonly sealedKey: string
}

/** The lease of a process, in microseconds. */
export type OrderLease = { readonly owner: string; readonly forUs: number }

export async function readDatabaseTime(queryable: Queryable): Promise<number> {
  const row = await queryable.one<{ now: number }>(`select ${databaseClock} as now`)
  return row?.now ?? 0
}

export async function readCertificate(
  queryable: Queryable,
  { url, names }: Subject,
  kind: string,
): Promise<CertificateRow | undefined> {
  return queryable.one<CertificateRow>(
    `select certificate, sealed_key as "sealedKey" from acme_certificate
     where url = $1 and names = $2 and kind = $3`,
    [url, names, kind],
  )
}

/** Stores what was ordered. @returns false if the lease is another's meanwhile. */
export async function storeCertificate(
  queryable: Queryable,
  { url, names }: Subject,
  kind: string,
  { certificate, sealedKey }: CertificateRow,
  owner: string,
): Promise<boolean> {
  const written = await queryable.run(
    `insert into acme_certificate (url, names, kind, certificate, sealed_key, created_at)
     select url, names, $3, $4, $5, ${databaseClock} from acme_lease
     where url = $1 and names = $2 and owner = $6
     on conflict (url, names, kind) do update set certificate = excluded.certificate,
       sealed_key = excluded.sealed_key, created_at = excluded.created_at`,
    [url, names, kind, certificate, sealedKey, owner],
  )
  return written === 1
}

/** Takes over what a version of before had in files, where there is nothing of the kind yet. */
export async function adoptCertificate(
  queryable: Queryable,
  { url, names }: Subject,
  kind: string,
  { certificate, sealedKey }: CertificateRow,
): Promise<void> {
  await queryable.run(
    `insert into acme_certificate (url, names, kind, certificate, sealed_key, created_at)
     select $1, $2, $3::text, $4, $5, ${databaseClock}
     where not exists (select from acme_certificate where kind = $3)
     on conflict (url, names, kind) do nothing`,
    [url, names, kind, certificate, sealedKey],
  )
}

/**
 * Leases the order unless another process has it, or one failed and its time to wait is not over.
 * Only failures since `sinceUs` count: those of before a start are what its operator has repaired.
 * @returns how many orders have failed; undefined without a lease.
 */
export async function takeLease(
  queryable: Queryable,
  { url, names }: Subject,
  { owner, forUs }: OrderLease,
  sinceUs: number,
): Promise<number | undefined> {
  const row = await queryable.one<{ failures: number }>(
    `insert into acme_lease as held (url, names, owner, leased_until)
     values ($1, $2, $3, ${databaseClock} + $4::bigint)
     on conflict (url, names) do update
       set owner = excluded.owner, leased_until = excluded.leased_until
       where held.leased_until not between ${databaseClock} and ${databaseClock} + $6::bigint
         and (held.not_before <= ${databaseClock} or held.failed_at < $5)
     returning failures`,
    [url, names, owner, forUs, sinceUs, presentUntil(longestUs)],
  )
  return row?.failures
}

/** @returns false if the lease is another's meanwhile; one that ran out is nobody else's yet. */
export async function renewLease(
  queryable: Queryable,
  { url, names }: Subject,
  { owner, forUs }: OrderLease,
): Promise<boolean> {
  const written = await queryable.run(
    `update acme_lease set leased_until = ${databaseClock} + $4::bigint
     where url = $1 and names = $2 and owner = $3`,
    [url, names, owner, forUs],
  )
  return written === 1
}

/** Ends a lease. After an order that succeeded none has failed. */
export async function releaseLease(
  queryable: Queryable,
  { url, names }: Subject,
  owner: string,
): Promise<void> {
  await queryable.run(
    `update acme_lease set owner = '', leased_until = 0, failures = 0, failed_at = 0, not_before = 0
     where url = $1 and names = $2 and owner = $3`,
    [url, names, owner],
  )
}

/** Ends a lease, whatever became of the order. */
export async function abandonLease(
  queryable: Queryable,
  { url, names }: Subject,
  owner: string,
): Promise<void> {
  await queryable.run(
    `update acme_lease set owner = '', leased_until = 0
     where url = $1 and names = $2 and owner = $3`,
    [url, names, owner],
  )
}

/** Ends a lease after an order that failed. */
export async function postpone(
  queryable: Queryable,
  { url, names }: Subject,
  owner: string,
  waitUs: number,
): Promise<void> {
  await queryable.run(
    `update acme_lease set owner = '', leased_until = 0, failures = failures + 1,
       failed_at = ${databaseClock}, not_before = ${databaseClock} + $4::bigint
     where url = $1 and names = $2 and owner = $3`,
    [url, names, owner, waitUs],
  )
}

export async function readAccountKey(
  queryable: Queryable,
  url: string,
): Promise<string | undefined> {
  const row = await queryable.one<{ sealedKey: string }>(
    'select sealed_key as "sealedKey" from acme_account where url = $1',
    [url],
  )
  return row?.sealedKey
}

export async function storeAccountKey(
  queryable: Queryable,
  url: string,
  sealedKey: string,
): Promise<void> {
  await queryable.run(
    `insert into acme_account (url, sealed_key, created_at) values ($1, $2, ${databaseClock})
     on conflict (url) do update set sealed_key = excluded.sealed_key,
       created_at = excluded.created_at`,
    [url, sealedKey],
  )
}

export async function readAnswer(queryable: Queryable, token: string): Promise<string | undefined> {
  const row = await queryable.one<{ answer: string }>(
    'select answer from acme_challenge where token = $1',
    [token],
  )
  return row?.answer
}

export async function insertAnswer(
  queryable: Queryable,
  token: string,
  answer: string,
): Promise<void> {
  await queryable.run(
    `insert into acme_challenge (token, answer, created_at) values ($1, $2, ${databaseClock})
     on conflict (token) do update set answer = excluded.answer`,
    [token, answer],
  )
}

export async function deleteAnswer(queryable: Queryable, token: string): Promise<void> {
  await queryable.run('delete from acme_challenge where token = $1', [token])
}

/** Deletes those of processes that were killed. */
export async function deleteAnswersBefore(queryable: Queryable, ageUs: number): Promise<void> {
  await queryable.run(
    `delete from acme_challenge where created_at < ${databaseClock} - $1::bigint`,
    [ageUs],
  )
}
