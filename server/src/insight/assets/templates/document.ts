import {
  changedFields,
  findDifference,
  isJsonObject,
  type JsonObject,
} from '../../../foundation/kernel/index.ts'
import type {
  NewTemplate,
  TemplateDifference,
  TemplateDocument,
  TemplateSignal,
} from './template.ts'

export const emptyTemplate = { name: '', signals: [], links: [] } satisfies TemplateDocument

/** The document of a template: what `create` takes. */
export function toDocument(template: NewTemplate): TemplateDocument {
  const { name, description, assetType, meta, signals, links } = template
  return {
    name,
    ...(!isEmpty(description) && { description: description ?? '' }),
    ...(assetType != null && { assetType }),
    ...(meta != null && !isEmpty(meta) && { meta }),
    signals: (signals ?? []).map(withoutEmpty),
    links: (links ?? []).map((link) => {
      if (!isJsonObject(link)) return link
      const { constants, ...rest } = link
      const filled = withoutNulls(rest) as JsonObject
      return constants == null ? filled : { ...filled, constants }
    }),
  }
}

/** The change that makes a template what a document says: what that leaves out is empty then. */
export function changeTo(document: TemplateDocument): NewTemplate {
  const empty = { description: '', assetType: null, meta: {}, signals: [], links: [] }
  return { ...empty, ...document }
}

/** A signal without what it does not say. */
function withoutEmpty(signal: TemplateSignal): TemplateSignal {
  const said = Object.entries(signal).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(said) as TemplateSignal
}

function isEmpty(value: unknown): boolean {
  return value == null || value === '' || (isJsonObject(value) && Object.keys(value).length === 0)
}

/** Leaves out what is null, at every depth. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(fields.map(([name, one]) => [name, withoutNulls(one)]))
}

/** Returns what changed between two documents, by the keys of signals and references of links. */
export function templateDifference(
  { signals: oldSignals = [], links: oldLinks = [], ...before }: TemplateDocument,
  { signals = [], links = [], ...after }: TemplateDocument,
): TemplateDifference {
  return {
    fields: changedFields(before, after),
    signals: findDifference(oldSignals, signals, ({ key, name }) => ({ id: key, name })),
    links: findDifference(oldLinks.filter(isJsonObject), links.filter(isJsonObject), namedLink),
  }
}

/** A link without a reference is named by its place: no inlet refers to it. */
function namedLink({ ref, id, name, functionId }: JsonObject, at: number) {
  const key = [ref, id].find((one) => typeof one === 'string') ?? `${at}`
  const shown = [name, functionId].find((one) => typeof one === 'string') ?? key
  return { id: String(key), name: String(shown) }
}
