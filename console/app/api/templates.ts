import type { components } from '@millrace/client'
import {
  type ConsoleTemplateVersionsQuery,
  consoleTemplateVersionsDocument,
} from '../generated/templates.ts'
import type { Client } from './client.ts'
import { find, get, post, put, remove } from './endpoint.ts'
import { findAll } from './find-all.ts'
import { asking } from './graphql.ts'

type Schemas = components['schemas']

/** A template of assets as lists show it, with how many assets were made of it. */
export type ListedTemplate = Schemas['ListedTemplate']

export type Template = Schemas['Template']

/** The contents of a template, without what belongs to one instance. */
export type TemplateDocument = Schemas['TemplateDocument']

export type TemplateDifference = Schemas['TemplateDifference']

type GraphVersion = ConsoleTemplateVersionsQuery['templateVersions'][number]

/** A version as lists show it. */
export type TemplateVersion = Omit<GraphVersion, 'difference'> & {
  readonly difference: TemplateDifference | null
}

const path = '/api:1/templates/{template}'
/** All templates, in the order in which they were made. Needs `View Asset`. */
export const listTemplates = findAll('/api:1/templates', 'templates')

export const readTemplate = get(path)

/** `asset`: of which it takes the signals and the links. */
export const createTemplate = post('/api:1/templates')

/**
 * Parts that the document leaves out are empty then. Assets that were made of it stay.
 * @throws ApiError `template_outdated` if there is a newer version than the one that it names
 */
export const replaceTemplate = put(path)

const askVersions = asking(consoleTemplateVersionsDocument, 'templateVersions')

/** The newest versions, newest first. */
export async function listTemplateVersions(
  client: Client,
  id: string,
  signal: AbortSignal | null = null,
): Promise<readonly TemplateVersion[]> {
  // The names are of the server's own schema for JSON.
  return (await askVersions(client, { id }, signal)) as readonly TemplateVersion[]
}

/** A version, with what it changed since another one. */
export const readTemplateVersion = find(`${path}/versions/{version}`)

/** @throws ApiError `template_outdated` if there is a newer version than `current` */
export const restoreTemplate = post(`${path}/restore`)

export const removeTemplate = remove(path)
