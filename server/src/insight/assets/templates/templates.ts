import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../../foundation/database/index.ts'
import {
  checkedDescription,
  checkedName,
  checkedPage,
  checkedText,
  Fault,
  invalid,
  isJsonObject,
  type JsonObject,
  limits,
  newUuid,
} from '../../../foundation/kernel/index.ts'
import { requireWhole, type View } from '../../../people/groups/index.ts'
import { checkedMeta, checkedSignal, checkedWord } from '../check.ts'
import { tooManySignals } from '../create.ts'
import type { AssetsOptions } from '../options.ts'
import {
  addTemplate,
  assetsOfTemplates,
  changeTemplate,
  dropTemplate,
  findTemplate,
  holdTemplate,
  templateCount,
  templatePage,
  templateVersions,
} from '../store/templates.ts'
import { changeTo, emptyTemplate, toDocument } from './document.ts'
import type {
  NewTemplate,
  Template,
  TemplateChange,
  TemplateSignal,
  Templates,
} from './template.ts'

/** Templates of assets of one business. */
const templatesMax = 1_000
/** The links of one template, as JSON. */
const templateLinksCharsMax = 256 * 1024

type TemplatesOptions = Pick<AssetsOptions, 'database' | 'changes' | 'clock' | 'random'>

export function createTemplates(options: TemplatesOptions): Templates {
  const { database } = options
  return {
    create: (view, template, by) =>
      database.transaction((held) => createTemplate(options, held, view, { template, by })),
    get: async (view, id) => present(await findTemplate(database, view.businessId, id), id),
    list: (view, filter = {}, page) =>
      templatePage(database, view.businessId, filter, checkedPage(page)),
    countAssets: (view, ids) => assetsOfTemplates(database, view, ids),
    update: (view, id, change, by) =>
      database.transaction((held) => updateTemplate(options, held, view, { id, change, by })),
    async versions(view, id, page) {
      present(await findTemplate(database, view.businessId, id), id)
      return templateVersions.list(database, view.businessId, id, page)
    },
    async version(view, id, number) {
      present(await findTemplate(database, view.businessId, id), id)
      return templateVersions.compare(database, view.businessId, id, number)
    },
    restore: (view, id, restored, by) =>
      database.transaction(async (held) => {
        requireWhole(view, aChange)
        present(await findTemplate(held, view.businessId, id), id)
        const { version, current } = restored
        const { document } = await templateVersions.get(held, view.businessId, id, version)
        const change = { ...changeTo(document), version: current }
        return updateTemplate(options, held, view, { id, change, by })
      }),
    async remove(view, id) {
      requireWhole(view, aChange)
      return database.transaction(async (held) => {
        const template = present(await holdTemplate(held, view.businessId, id), id)
        await dropTemplate(held, view.businessId, id)
        options.changes.publish(held, view.businessId, 'assets', 'every')
        return template
      })
    },
  }
}

/** A template is of no group: what one changes, all have. */
const aChange = 'A change of a template'

async function createTemplate(
  { changes, clock, random }: TemplatesOptions,
  transaction: Transaction,
  view: View,
  { template, by }: { readonly template: NewTemplate; readonly by: string },
): Promise<Template> {
  requireWhole(view, aChange)
  const { businessId } = view
  const described = checkedTemplate(template)
  if ((await templateCount(transaction, businessId)) >= templatesMax) {
    throw invalid(`a business has at most ${templatesMax} templates`)
  }
  const [id, at] = [newUuid(random, clock.nowMs()), clock.nowUs()]
  const made = { id, businessId, ...described, createdAt: at, updatedAt: at }
  await addTemplate(transaction, made)
  changes.publish(transaction, businessId, 'assets', 'every')
  const [before, after] = [emptyTemplate, toDocument(made)]
  await templateVersions.save(transaction, businessId, id, { newest: 0, before, after, by, at })
  return { ...made, version: 1, savedBy: by }
}

type Change = { readonly id: string; readonly change: TemplateChange; readonly by: string }

async function updateTemplate(
  { changes, clock }: TemplatesOptions,
  transaction: Transaction,
  view: View,
  { id, change: { version, ...change }, by }: Change,
): Promise<Template> {
  requireWhole(view, aChange)
  const { businessId } = view
  const template = present(await holdTemplate(transaction, businessId, id), id)
  const newest = template.version
  if (version != null && version !== newest) {
    throw new Fault('template_outdated', `The template is at version ${newest} now.`)
  }
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const { name } = change
  const wanted = { ...template, ...Object.fromEntries(given), name: name ?? template.name }
  const at = clock.nowUs()
  const changed = { ...template, ...checkedTemplate(wanted), updatedAt: at }
  const [before, after] = [toDocument(template), toDocument(changed)]
  changes.publish(transaction, businessId, 'assets', 'every')
  if (isDeepStrictEqual(before, after)) return template
  await changeTemplate(transaction, changed)
  await templateVersions.save(transaction, businessId, id, { newest, before, after, by, at })
  return present(await findTemplate(transaction, businessId, id), id)
}

function checkedTemplate(template: NewTemplate) {
  const links = checkedLinks(template.links ?? [])
  return {
    name: checkedName(template.name),
    description: checkedDescription(template.description),
    assetType: checkedWord(template.assetType, 'assetType'),
    meta: checkedMeta(template.meta ?? {}),
    signals: checkedSignals(template.signals ?? []),
    links,
  }
}

function checkedSignals(signals: readonly TemplateSignal[]): readonly TemplateSignal[] {
  if (signals.length > limits.signalsPerAssetMax) throw tooManySignals()
  const keys = new Set<string>()
  return signals.map((signal) => {
    const key = checkedText(signal.key, 'the key of a signal', limits.nameCharsMax)
    if (key === '') throw invalid('the key of a signal is missing')
    if (keys.has(key)) throw invalid(`two signals have the key ${JSON.stringify(key)}`)
    keys.add(key)
    const { source } = signal
    if (source != null && ('linkId' in source || source.device !== undefined)) {
      throw invalid("a signal of a template is fed by a resource of its asset's own device")
    }
    const { templateKey: _, ...checked } = checkedSignal(signal)
    return { key, ...checked }
  })
}

/** An asset that is made of the template finds whether they are links. */
function checkedLinks(links: readonly unknown[]): readonly JsonObject[] {
  const most = limits.linksPerAssetMax
  if (links.length > most) throw invalid(`an asset has at most ${most} links`)
  if (JSON.stringify(links).length > templateLinksCharsMax) {
    throw invalid(`links have at most ${templateLinksCharsMax} characters as JSON`)
  }
  return links.map((link) => {
    if (isJsonObject(link)) return link
    throw invalid('each link is a JSON object')
  })
}

function present(template: Template | undefined, id: string): Template {
  if (template === undefined) throw new Fault('not_found', `there is no template ${id}`)
  return template
}
