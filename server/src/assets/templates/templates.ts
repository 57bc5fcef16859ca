import type { Transaction } from '../../database/index.ts'
import type { View } from '../../groups/index.ts'
import {
  checkedDescription,
  checkedName,
  checkedPage,
  checkedText,
  Fault,
  invalid,
  isJsonObject,
  type Json,
  type JsonObject,
  limits,
  newUuid,
} from '../../kernel/index.ts'
import { checkedMeta, checkedSignal, checkedWord } from '../check.ts'
import { tooManySignals } from '../create.ts'
import {
  addTemplate,
  assetsOfTemplates,
  changeTemplate,
  dropTemplate,
  findTemplate,
  holdTemplate,
  templateCount,
  templatePage,
} from '../store/templates.ts'
import type { AssetsOptions } from '../types.ts'
import type {
  NewTemplate,
  Template,
  TemplateChange,
  TemplateSignal,
  Templates,
} from './template.ts'

type TemplatesOptions = Pick<AssetsOptions, 'database' | 'clock' | 'random'>

export function createTemplates(options: TemplatesOptions): Templates {
  const { database } = options
  return {
    create: (view, template) =>
      database.transaction((held) => createTemplate(options, held, view, template)),
    get: async (view, id) => present(await findTemplate(database, view.businessId, id), id),
    list: (view, filter = {}, page) =>
      templatePage(database, view.businessId, filter, checkedPage(page)),
    countAssets: (view, ids) => assetsOfTemplates(database, view, ids),
    update: (view, id, change) =>
      database.transaction((held) => updateTemplate(options, held, view, id, change)),
    async remove(view, id) {
      requireWhole(view)
      return present(await dropTemplate(database, view.businessId, id), id)
    },
  }
}

/** A template is of no group: what one changes, all have. */
function requireWhole({ groups }: View): void {
  if (groups === 'all') return
  throw new Fault('forbidden', 'A template is changed by those who see the whole business.')
}

async function createTemplate(
  { clock, random }: TemplatesOptions,
  transaction: Transaction,
  view: View,
  template: NewTemplate,
): Promise<Template> {
  requireWhole(view)
  const { businessId } = view
  const described = checkedTemplate(template)
  if ((await templateCount(transaction, businessId)) >= limits.templatesMax) {
    throw invalid(`a business has at most ${limits.templatesMax} templates`)
  }
  const [id, now] = [newUuid(random, clock.nowMs()), clock.nowUs()]
  const made = { id, businessId, ...described, createdAt: now, updatedAt: now }
  await addTemplate(transaction, made)
  return made
}

async function updateTemplate(
  { clock }: TemplatesOptions,
  transaction: Transaction,
  view: View,
  id: string,
  change: TemplateChange,
): Promise<Template> {
  requireWhole(view)
  const template = present(await holdTemplate(transaction, view.businessId, id), id)
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const { name } = change
  const wanted = { ...template, ...Object.fromEntries(given), name: name ?? template.name }
  const changed = { ...template, ...checkedTemplate(wanted), updatedAt: clock.nowUs() }
  await changeTemplate(transaction, changed)
  return changed
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

/** Whether they are links is found when an asset is made of them. */
function checkedLinks(links: readonly Json[]): readonly JsonObject[] {
  const most = limits.linksPerAssetMax
  if (links.length > most) throw invalid(`an asset has at most ${most} links`)
  if (JSON.stringify(links).length > limits.templateLinksCharsMax) {
    throw invalid(`links have at most ${limits.templateLinksCharsMax} characters as JSON`)
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
