import { type components, unwrap } from '@millrace/client'
import type { Client } from './client.ts'

type Schemas = components['schemas']

/** A template of assets as lists show it, with how many assets were made of it. */
export type ListedTemplate = Schemas['ListedTemplate']

export type Template = Schemas['Template']

/** What a template has, without what belongs to one instance. */
export type TemplateDocument = Schemas['TemplateDocument']

const path = '/api:1/templates/{template}'
const of = (template: string) => ({ params: { path: { template } } })
const pageSize = 500

/** All templates, in the order in which they were made. Needs `View Asset`. */
export async function listTemplates(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<readonly ListedTemplate[]> {
  const all: ListedTemplate[] = []
  for (;;) {
    const params = { query: { limit: pageSize, offset: all.length } }
    const { templates } = await unwrap(client.GET('/api:1/templates', { params, signal }))
    all.push(...templates)
    if (templates.length < pageSize) return all
  }
}

export function readTemplate(
  client: Client,
  template: string,
  signal: AbortSignal | null = null,
): Promise<Template> {
  return unwrap(client.GET(path, { ...of(template), signal }))
}

/** `asset`: of which it takes the signals and the links. */
export function createTemplate(
  client: Client,
  body: TemplateDocument & { readonly asset?: string },
): Promise<Template> {
  return unwrap(client.POST('/api:1/templates', { body }))
}

/** What the document leaves out is empty then. Assets that were made of it stay. */
export function replaceTemplate(
  client: Client,
  template: string,
  body: TemplateDocument,
): Promise<Template> {
  return unwrap(client.PUT(path, { ...of(template), body }))
}

export async function removeTemplate(client: Client, template: string): Promise<void> {
  await unwrap(client.DELETE(path, of(template)))
}
