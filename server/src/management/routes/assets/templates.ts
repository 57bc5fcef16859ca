import type { TemplateFiles } from '../../../asset-files/index.ts'
import { documentOf, type Template, type TemplateVersion } from '../../../assets/index.ts'
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  getTemplateVersion,
  listTemplates,
  listTemplateVersions,
  replaceTemplate,
  restoreTemplate,
  type TemplateBody,
  type TemplateVersionBody,
} from '../../contract/assets/templates.ts'
import { versionNumber } from '../../contract/assets/versions.ts'
import { created, noContent, ok, type Route, route } from '../../route.ts'

/** Templates of assets, as documents that other instances take. */
export function templateRoutes(templates: TemplateFiles): Route[] {
  return [
    route(listTemplates, async ({ principal: { view }, query: { text, ...page } }) => {
      const found = await templates.list(view, { text }, page)
      const ids = found.map(({ id }) => id)
      const counts = await templates.countAssets(view, ids)
      return ok({ templates: found.map((one) => listed(one, counts.get(one.id) ?? 0)) })
    }),
    route(getTemplate, async ({ principal: { view }, params }) =>
      ok(bodyOf(await templates.get(view, params.template))),
    ),
    route(createTemplate, async ({ principal: { view, subject }, body }) =>
      created(bodyOf(await templates.create(view, body as NewDocument, subject))),
    ),
    route(replaceTemplate, async ({ principal: { view, subject }, params, body }) =>
      ok(bodyOf(await templates.replace(view, params.template, body as Document, subject))),
    ),
    route(listTemplateVersions, async ({ principal: { view }, params, query }) => {
      const found = await templates.versions(view, params.template, query)
      return ok({ versions: found.map((one) => withoutDocument(versionOf(one))) })
    }),
    route(getTemplateVersion, async ({ principal: { view }, params, query: { since } }) => {
      const number = { version: versionNumber(params.version), since }
      return ok(versionOf(await templates.version(view, params.template, number)))
    }),
    route(restoreTemplate, async ({ principal: { view, subject }, params, body }) =>
      ok(bodyOf(await templates.restore(view, params.template, body, subject))),
    ),
    route(deleteTemplate, async ({ principal: { view }, params }) => {
      await templates.remove(view, params.template)
      return noContent()
    }),
  ]
}

type NewDocument = Parameters<TemplateFiles['create']>[1]
type Document = Parameters<TemplateFiles['replace']>[2]

function bodyOf(template: Template): TemplateBody {
  const { id, createdAt, updatedAt, version, savedBy } = template
  return {
    id,
    created: createdAt,
    changed: updatedAt,
    version,
    saved_by: savedBy,
    document: documentOf(template),
  } as TemplateBody
}

function versionOf({ savedAt, savedBy, ...version }: TemplateVersion): TemplateVersionBody {
  return { ...version, saved_at: savedAt, saved_by: savedBy } as TemplateVersionBody
}

/** Lists are read as a whole: the documents of many versions are long. */
function withoutDocument({ document: _, ...version }: TemplateVersionBody) {
  return version
}

function listed(template: Template, assets: number) {
  const { id, name, description, assetType, signals, links, ...times } = template
  return {
    id,
    name,
    description,
    asset_type: assetType,
    signals: signals.length,
    links: links.length,
    assets,
    created: times.createdAt,
    changed: times.updatedAt,
  }
}
