import { type components, fillPath, upload } from '@millrace/client'
import type { Client } from '../client.ts'
import { get, remove } from '../endpoint.ts'

/** Something that the devices of a connector may download. */
export type Content = components['schemas']['Content']

const path = '/api:1/service/{connector}/device2/content'
const ofContent = `${path}/{content}` as const

/** By id. */
export const listContents = get(path, 'contents')

type Wanted = { readonly id: string; readonly meta: string; readonly file: File }

/** Uploads a content, or replaces it. @throws ApiError `business_quota_full` and others. */
export async function putContent(
  client: Client,
  connector: string,
  { id, meta, file }: Wanted,
): Promise<void> {
  const query = meta === '' ? '' : `?${new URLSearchParams({ meta })}`
  const address = `${fillPath(ofContent, { path: { connector, content: id } })}${query}`
  const contentType = file.type === '' ? 'application/octet-stream' : file.type
  await upload(client, address, file, { contentType })
}

export const removeContent = remove(ofContent)
