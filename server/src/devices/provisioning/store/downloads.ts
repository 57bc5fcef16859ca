import type { Queryable, Transaction } from '../../../foundation/database/index.ts'
import type { Campaign, CampaignTag, DeviceContent } from '../content/campaign.ts'

/** Bytes of an upload of a content that were sent to a device. */
export type DownloadPart = {
  readonly connectorId: string
  readonly identity: string
  readonly content: string
  readonly generation: string
  readonly from: number
  /** Up to and not including this one. */
  readonly to: number
  /** Microseconds. */
  readonly at: number
}

/**
 * A part that begins behind a gap changes nothing but that the download has begun; so does one of
 * an upload that was replaced, and of a device or a content that is gone.
 */
export async function addDownload(database: Queryable, part: DownloadPart): Promise<void> {
  const { connectorId, content, identity, generation, from, to, at } = part
  await database.run(
    `insert into provisioning_download as d
       (connector_id, content, identity, generation, received, begun_at, completed_at)
     select c.connector_id, c.id, i.identity, c.generation, p.received, $7::bigint,
       case when p.received >= c.bytes then $7::bigint end
     from provisioning_content c
       join provisioning_identity i on i.connector_id = c.connector_id and i.identity = $3
       left join provisioning_download b
         on b.connector_id = c.connector_id and b.content = c.id and b.identity = i.identity
           and b.generation = c.generation
       cross join lateral (
         select case when $5::bigint <= coalesce(b.received, 0)
           then greatest(coalesce(b.received, 0), $6::bigint) else coalesce(b.received, 0)
           end as received) p
     where c.connector_id = $1 and c.id = $2 and c.generation = $4
     on conflict (connector_id, content, identity) do update set
       generation = excluded.generation,
       received = excluded.received,
       begun_at = case when d.generation = excluded.generation
         then d.begun_at else excluded.begun_at end,
       completed_at = case when d.generation = excluded.generation
         then coalesce(d.completed_at, excluded.completed_at) else excluded.completed_at end`,
    [connectorId, content, identity, generation, from, to, at],
  )
}

const asTags = `jsonb_build_array(jsonb_strip_nulls(
  jsonb_build_object('name', a.tag_name, 'value', a.tag_value)))`

type CampaignRow = {
  id: string
  content: string
  meta: string
  tag_name: string
  tag_value: string | null
  created_at: number
  devices: number
  downloaded: number
  downloading: number
}

/**
 * The newest first, each with how far its devices are; of one alone with `id`. The index of tags
 * has those that are not empty.
 */
export async function listCampaigns(
  database: Queryable,
  connectorId: string,
  id: string | null = null,
): Promise<Campaign[]> {
  const rows = await database.rows<CampaignRow>(
    `select a.id, a.content, c.meta, a.tag_name, a.tag_value, a.created_at,
       n.devices, n.downloaded, n.downloading
     from provisioning_campaign a
       join provisioning_content c on c.connector_id = a.connector_id and c.id = a.content
       cross join lateral (
         select count(*) as devices,
           count(*) filter (where d.completed_at is not null) as downloaded,
           count(*) filter (where d.begun_at is not null and d.completed_at is null)
             as downloading
         from provisioning_identity i left join provisioning_download d
           on d.connector_id = i.connector_id and d.content = c.id and d.identity = i.identity
             and d.generation = c.generation
         where i.connector_id = a.connector_id and i.tags @> ${asTags}
           and i.tags <> '[]'::jsonb) n
     where a.connector_id = $1 and ($2::text is null or a.id = $2::text)
     order by a.created_at desc, a.id`,
    [connectorId, id],
  )
  return rows.map(({ tag_name: name, tag_value: value, created_at: createdAt, ...row }) => ({
    ...row,
    createdAt,
    tag: value === null ? { name } : { name, value },
  }))
}

type NewCampaign = {
  readonly connectorId: string
  readonly id: string
  readonly content: string
  readonly tag: CampaignTag
  readonly createdAt: number
  readonly campaignsMax: number
}

/** @returns `there` if the content has a campaign of the tag, `missing` if there is no content. */
export async function insertCampaign(
  transaction: Transaction,
  { connectorId, id, content, tag, createdAt, campaignsMax }: NewCampaign,
): Promise<'done' | 'there' | 'missing' | 'full'> {
  const held = await transaction.one(
    `select id from provisioning_content where connector_id = $1 and id = $2 for key share`,
    [connectorId, content],
  )
  if (held === undefined) return 'missing'
  const row = await transaction.one<{ count: number }>(
    'select count(*) as count from provisioning_campaign where connector_id = $1',
    [connectorId],
  )
  if ((row?.count ?? 0) >= campaignsMax) return 'full'
  const inserted = await transaction.run(
    `insert into provisioning_campaign
       (connector_id, id, content, tag_name, tag_value, created_at)
     values ($1, $2, $3, $4, $5, $6::bigint) on conflict do nothing`,
    [connectorId, id, content, tag.name, tag.value ?? null, createdAt],
  )
  return inserted === 0 ? 'there' : 'done'
}

/** False where there was none. */
export async function deleteCampaign(
  database: Queryable,
  connectorId: string,
  id: string,
): Promise<boolean> {
  const deleted = await database.run(
    'delete from provisioning_campaign where connector_id = $1 and id = $2',
    [connectorId, id],
  )
  return deleted > 0
}

type DeviceContentRow = {
  content: string
  meta: string
  bytes: number
  received: number | null
  begun_at: number | null
  completed_at: number | null
  current: boolean | null
  offered_at: number | null
}

/** The contents that a device began to download, or that a campaign is to bring to it, by id. */
export async function listDeviceContents(
  database: Queryable,
  connectorId: string,
  identity: string,
): Promise<DeviceContent[]> {
  const rows = await database.rows<DeviceContentRow>(
    `select c.id as content, c.meta, c.bytes, d.received, d.begun_at, d.completed_at,
       d.generation = c.generation as current, o.offered_at
     from provisioning_content c
       left join provisioning_download d
         on d.connector_id = c.connector_id and d.content = c.id and d.identity = $2
       left join lateral (
         select min(a.created_at) as offered_at
         from provisioning_campaign a join provisioning_identity i
           on i.connector_id = a.connector_id and i.identity = $2 and i.tags @> ${asTags}
         where a.connector_id = c.connector_id and a.content = c.id) o on true
     where c.connector_id = $1 and (d.identity is not null or o.offered_at is not null)
     order by c.id`,
    [connectorId, identity],
  )
  return rows.map((row) => ({
    content: row.content,
    meta: row.meta,
    bytes: row.bytes,
    received: row.received ?? 0,
    offeredAt: row.offered_at,
    begunAt: row.begun_at,
    completedAt: row.completed_at,
    status: toStatus(row),
  }))
}

function toStatus(row: DeviceContentRow): DeviceContent['status'] {
  if (row.begun_at === null) return 'offered'
  if (row.current !== true) return 'outdated'
  return row.completed_at === null ? 'downloading' : 'downloaded'
}
