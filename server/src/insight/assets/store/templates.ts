import {
  type Queryable,
  searchPattern,
  textArray,
  Versions,
} from '../../../foundation/database/index.ts'
import type { JsonObject } from '../../../foundation/kernel/index.ts'
import { andSeen, seenValues, type View } from '../../../people/groups/index.ts'
import { assetLimits } from '../limits.ts'
import { emptyTemplate, templateDifference, toDocument } from '../templates/document.ts'
import type {
  Template,
  TemplateDifference,
  TemplateDocument,
  TemplateFilter,
} from '../templates/template.ts'

/** The versions of templates. */
export const templateVersions = new Versions<TemplateDocument, TemplateDifference>({
  table: 'assets_template_version',
  owner: 'template_id',
  // Documents of the migration have their empty fields, too.
  parse: (text) => toDocument(JSON.parse(text)),
  empty: emptyTemplate,
  findDifference: templateDifference,
  most: () => assetLimits.templateVersionsMax,
})

const selectAll = `
select id, t.business_id, name, description, asset_type, meta, signals, links, created_at,
  updated_at, coalesce(v.version, 0) as version, v.saved_by
from assets_template t left join lateral (
  select version, saved_by from assets_template_version
  where business_id = t.business_id and template_id = t.id order by version desc limit 1
) v on true`

type Row = {
  id: string
  business_id: string
  name: string
  description: string
  asset_type: string | null
  meta: string
  signals: string
  links: string
  created_at: number
  updated_at: number
  version: number
  saved_by: string | null
}

function toTemplate(row: Row): Template {
  return {
    id: row.id,
    businessId: row.business_id,
    name: row.name,
    description: row.description,
    assetType: row.asset_type,
    meta: JSON.parse(row.meta) as JsonObject,
    signals: JSON.parse(row.signals) as Template['signals'],
    links: JSON.parse(row.links) as Template['links'],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
    savedBy: row.saved_by,
  }
}

/** The stored part of a template itself. */
type TemplateRecord = Omit<Template, 'version' | 'savedBy'>

function toValues(template: TemplateRecord): (string | number | null)[] {
  const { businessId, id, name, description, assetType, meta, signals, links } = template
  const texts = [meta, signals, links].map((value) => JSON.stringify(value))
  return [businessId, id, name, description, assetType, ...texts, template.updatedAt]
}

const insertTemplate = `
insert into assets_template
  (business_id, id, name, description, asset_type, meta, signals, links, updated_at, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

export async function addTemplate(queryable: Queryable, template: TemplateRecord): Promise<void> {
  await queryable.run(insertTemplate, [...toValues(template), template.createdAt])
}

const updateTemplate = `
update assets_template set name = $3, description = $4, asset_type = $5, meta = $6, signals = $7,
  links = $8, updated_at = $9
where business_id = $1 and id = $2`

export async function changeTemplate(
  queryable: Queryable,
  template: TemplateRecord,
): Promise<void> {
  await queryable.run(updateTemplate, toValues(template))
}

const selectTemplate = `${selectAll} where t.business_id = $1 and id = $2`

export async function findTemplate(queryable: Queryable, businessId: string, id: string) {
  const row = await queryable.one<Row>(selectTemplate, [businessId, id])
  return row === undefined ? undefined : toTemplate(row)
}

const lockTemplate = `
select 1 from assets_template where business_id = $1 and id = $2 for update`

/** The template; nobody else changes it until the transaction ends. */
export async function holdTemplate(queryable: Queryable, businessId: string, id: string) {
  // A statement by itself: what another transaction has saved meanwhile is read after it.
  await queryable.run(lockTemplate, [businessId, id])
  return findTemplate(queryable, businessId, id)
}

const selectPage = `
${selectAll}
where t.business_id = $1 and ($2::text is null or name ilike $2 or description ilike $2)
  and ($3::text[] is null or id = any($3::text[]))
order by t.number limit $4 offset $5`

export async function templatePage(
  queryable: Queryable,
  businessId: string,
  { text, ids }: TemplateFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Template[]> {
  const pattern = text ? searchPattern(text) : null
  const named = ids == null ? null : textArray(ids)
  const values = [businessId, pattern, named, limit, offset]
  return (await queryable.rows<Row>(selectPage, values)).map(toTemplate)
}

const countTemplates = 'select count(*) as count from assets_template where business_id = $1'

export async function templateCount(queryable: Queryable, businessId: string): Promise<number> {
  return (await queryable.one<{ count: number }>(countTemplates, [businessId]))?.count ?? 0
}

const deleteTemplate = 'delete from assets_template where business_id = $1 and id = $2'

/** Removes a template with its versions. */
export async function dropTemplate(queryable: Queryable, businessId: string, id: string) {
  await templateVersions.drop(queryable, businessId, id)
  await queryable.run(deleteTemplate, [businessId, id])
}

const countAssets = `
select template_id as id, count(*) as count from assets_asset
where business_id = $1 and template_id = any($2::text[])`

/** Counts the assets that the view sees of each template; templates without assets are missing. */
export async function assetsOfTemplates(
  queryable: Queryable,
  view: View,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const text = `${countAssets}${andSeen(view, 'group_id', 3)} group by template_id`
  const values = [view.businessId, textArray(ids), ...seenValues(view)]
  const rows = await queryable.rows<{ id: string; count: number }>(text, values)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
