import { type components, unwrap } from '@millrace/client'
import {
  type ConsoleTemplateVersionsQuery,
  consoleTemplateVersionsDocument,
} from '../generated/documents.ts'
import type { Client } from './client.ts'
import { ask } from './graphql.ts'

type Schemas = components['schemas']

/** A template of assets as lists show it, with how many assets were made of it. */
export type ListedTemplate = Schemas['ListedTemplate']

export type Template = Schemas['Template']

/** What a template has, without what belongs to one instance. */
export type TemplateDocument = Schemas['TemplateDocument']

export type TemplateDifference = Schemas['TemplateDifference']

type GraphVersion = ConsoleTemplateVersionsQuery['templateVersions'][number]

/** A version as lists show it. */
export type TemplateVersion = Omit<GraphVersion, 'difference'> & {
  readonly difference: TemplateDifference | null
}

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

/**
 * What the document leaves out is empty then. Assets that were made of it stay.
 * @throws ApiError `template_outdated` if there is a newer version than the one that it names
 */
export function replaceTemplate(
  client: Client,
  template: string,
  body: TemplateDocument & { readonly version: number },
): Promise<Template> {
  return unwrap(client.PUT(path, { ...of(template), body }))
}

/** The newest versions, newest first. */
export async function listTemplateVersions(
  client: Client,
  id: string,
  signal: AbortSignal | null = null,
): Promise<readonly TemplateVersion[]> {
  const { templateVersions } = await ask(client, consoleTemplateVersionsDocument, { id }, signal)
  // The names are of the server's own schema for JSON.
  return templateVersions as readonly TemplateVersion[]
}

/** A version, with what it changed since another one. */
export function readTemplateVersion(
  client: Client,
  template: string,
  { version, since }: { readonly version: number; readonly since: number },
  signal: AbortSignal | null = null,
) {
  const params = { path: { template, version: `${version}` }, query: { since } }
  return unwrap(client.GET(`${path}/versions/{version}`, { params, signal }))
}

/** @throws ApiError `template_outdated` if there is a newer version than `current` */
export function restoreTemplate(
  client: Client,
  template: string,
  body: { readonly version: number; readonly current: number },
): Promise<Template> {
  return unwrap(client.POST(`${path}/restore`, { ...of(template), body }))
}

export async function removeTemplate(client: Client, template: string): Promise<void> {
  await unwrap(client.DELETE(path, of(template)))
}
