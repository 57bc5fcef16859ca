import { documentOf, type TemplateFiles } from '../../../asset-files/index.ts'
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  replaceTemplate,
  type TemplateBody,
} from '../../contract/assets/templates.ts'
import { created, noContent, ok, type Route, route } from '../../route.ts'

type Template = Awaited<ReturnType<TemplateFiles['get']>>

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
    route(createTemplate, async ({ principal: { view }, body }) =>
      created(bodyOf(await templates.create(view, body as NewDocument))),
    ),
    route(replaceTemplate, async ({ principal: { view }, params, body }) =>
      ok(bodyOf(await templates.replace(view, params.template, body as Document))),
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
  const { id, createdAt, updatedAt } = template
  return {
    id,
    created: createdAt,
    changed: updatedAt,
    document: documentOf(template),
  } as TemplateBody
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
