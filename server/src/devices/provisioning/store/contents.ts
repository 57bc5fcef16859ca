import {
  type Database,
  isOfPart,
  partValue,
  type Queryable,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'
import type { PeriodPart } from '../../../foundation/kernel/index.ts'
import type { Content } from '../content/content.ts'

type Row = {
  id: string
  generation: string
  content_type: string
  bytes: number
  meta: string
  updated_at: number
}

function fromRow(row: Row): Content {
  return {
    id: row.id,
    generation: row.generation,
    contentType: row.content_type,
    bytes: row.bytes,
    meta: row.meta,
    updatedAt: row.updated_at,
  }
}

export async function listContents(
  database: Queryable,
  connectorId: string,
  rowsMax: number,
): Promise<Content[]> {
  const rows = await database.rows<Row>(
    `select id, generation, content_type, bytes, meta, updated_at from provisioning_content
     where connector_id = $1 order by id limit $2::integer`,
    [connectorId, rowsMax],
  )
  return rows.map(fromRow)
}

export async function readContent(
  database: Queryable,
  connectorId: string,
  id: string,
): Promise<Content | undefined> {
  const row = await database.one<Row>(
    `select id, generation, content_type, bytes, meta, updated_at from provisioning_content
     where connector_id = $1 and id = $2`,
    [connectorId, id],
  )
  return row && fromRow(row)
}

/** Begins a generation that is not in force; where nobody finishes it, it goes after `endsAt`. */
export async function beginGeneration(
  database: Queryable,
  connectorId: string,
  generation: string,
  endsAt: number,
): Promise<void> {
  await database.run(
    `insert into provisioning_content_generation (connector_id, generation, ends_at)
     values ($1, $2, $3::bigint)`,
    [connectorId, generation, endsAt],
  )
}

export async function insertChunk(
  database: Queryable,
  connectorId: string,
  generation: string,
  ord: number,
  data: Buffer,
): Promise<void> {
  await database.run(
    `insert into provisioning_content_chunk (connector_id, generation, ord, data)
     values ($1, $2, $3::integer, $4::bytea)`,
    [connectorId, generation, ord, data],
  )
}

/** Undefined where there is no such chunk any more. */
export async function readChunk(
  database: Queryable,
  connectorId: string,
  generation: string,
  ord: number,
): Promise<Buffer | undefined> {
  const row = await database.one<{ data: Buffer }>(
    `select data from provisioning_content_chunk
     where connector_id = $1 and generation = $2 and ord = $3::integer`,
    [connectorId, generation, ord],
  )
  return row?.data
}

/**
 * Puts a finished upload in the place of what was there; the old generation goes after
 * `oldEndsAt`.
 * @returns `full` where a new content would be one too many, `late` where the generation is gone.
 */
export async function putInForce(
  transaction: Transaction,
  connectorId: string,
  content: Content,
  { oldEndsAt, contentsMax }: { oldEndsAt: number; contentsMax: number },
): Promise<'done' | 'full' | 'late'> {
  const { id, generation, contentType, bytes, meta, updatedAt } = content
  const kept = await transaction.run(
    `update provisioning_content_generation set ends_at = null
     where connector_id = $1 and generation = $2`,
    [connectorId, generation],
  )
  if (kept === 0) return 'late'
  const old = await transaction.one<{ generation: string }>(
    `select generation from provisioning_content
     where connector_id = $1 and id = $2 for update`,
    [connectorId, id],
  )
  if (old === undefined && (await countContents(transaction, connectorId)) >= contentsMax) {
    return 'full'
  }
  await transaction.run(
    `insert into provisioning_content
       (connector_id, id, generation, content_type, bytes, meta, updated_at)
     values ($1, $2, $3, $4, $5::bigint, $6, $7::bigint)
     on conflict (connector_id, id) do update set
       generation = excluded.generation, content_type = excluded.content_type,
       bytes = excluded.bytes, meta = excluded.meta, updated_at = excluded.updated_at`,
    [connectorId, id, generation, contentType, bytes, meta, updatedAt],
  )
  await endOthers(transaction, connectorId, oldEndsAt)
  return 'done'
}

/** Ends the generations that no content names any more, and leaves those that end already. */
async function endOthers(
  transaction: Transaction,
  connectorId: string,
  endsAt: number,
): Promise<void> {
  await transaction.run(
    `update provisioning_content_generation as g set ends_at = $2::bigint
     where g.connector_id = $1 and g.ends_at is null and not exists
       (select 1 from provisioning_content c
        where c.connector_id = g.connector_id and c.generation = g.generation)`,
    [connectorId, endsAt],
  )
}

async function countContents(transaction: Transaction, connectorId: string): Promise<number> {
  const row = await transaction.one<{ count: number }>(
    'select count(*) as count from provisioning_content where connector_id = $1',
    [connectorId],
  )
  return row?.count ?? 0
}

/** Contents of one business, or of all but some, that were uploaded before a time. */
export async function oldContents(
  queryable: Queryable,
  part: PeriodPart,
  beforeUs: number,
  rowsMax: number,
): Promise<{ connectorId: string; id: string }[]> {
  return queryable.rows(
    `select o.connector_id as "connectorId", o.id
     from provisioning_content o join provisioning_connector c on c.id = o.connector_id
     where o.updated_at < $1 and ${isOfPart(part, 'c.business_id', 2)} limit $3::integer`,
    [beforeUs, partValue(part), rowsMax],
  )
}

/** The bytes of the contents of businesses that are in force. */
export async function readContentBytes(
  queryable: Queryable,
  businessIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await queryable.rows<{ id: string; bytes: number }>(
    `select c.business_id as id, sum(o.bytes)::bigint as bytes
     from provisioning_connector c join provisioning_content o on o.connector_id = c.id
     where c.business_id = any($1::text[]) group by 1`,
    [textArray(businessIds)],
  )
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

/** False where there was none. */
export async function deleteContent(
  transaction: Transaction,
  connectorId: string,
  id: string,
  endsAt: number,
): Promise<boolean> {
  const deleted = await transaction.run(
    'delete from provisioning_content where connector_id = $1 and id = $2',
    [connectorId, id],
  )
  if (deleted > 0) await endOthers(transaction, connectorId, endsAt)
  return deleted > 0
}

/** Lets a generation go at once: its upload was cut. */
export async function endGeneration(
  database: Queryable,
  connectorId: string,
  generation: string,
  endsAt: number,
): Promise<void> {
  await database.run(
    `update provisioning_content_generation set ends_at = $3::bigint
     where connector_id = $1 and generation = $2 and ends_at is not null`,
    [connectorId, generation, endsAt],
  )
}

/**
 * Removes the chunks of a generation whose time is over, and then the generation.
 * @returns false where no generation's time is over.
 */
export function removeEnded(database: Database, nowUs: number): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const row = await transaction.one<{ connector_id: string; generation: string }>(
      `select connector_id, generation from provisioning_content_generation
       where ends_at <= $1::bigint limit 1 for update skip locked`,
      [nowUs],
    )
    if (row === undefined) return false
    const key = [row.connector_id, row.generation]
    await transaction.run(
      'delete from provisioning_content_chunk where connector_id = $1 and generation = $2',
      key,
    )
    await transaction.run(
      'delete from provisioning_content_generation where connector_id = $1 and generation = $2',
      key,
    )
    return true
  })
}
