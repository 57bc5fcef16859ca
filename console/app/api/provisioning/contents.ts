import { type components, fillPath, unwrap, upload } from '@millrace/client'
import type { Client } from '../client.ts'

/** Something that the devices of a connector may download. */
export type Content = components['schemas']['Content']

const path = '/api:1/service/{connector}/device2/content'
const ofContent = `${path}/{content}` as const

/** By id. */
export async function listContents(
  client: Client,
  connector: string,
  signal: AbortSignal | null = null,
): Promise<Content[]> {
  const params = { path: { connector } }
  const { contents } = await unwrap(client.GET(path, { params, signal }))
  return contents
}

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

export async function removeContent(
  client: Client,
  connector: string,
  content: string,
): Promise<void> {
  const params = { path: { connector, content } }
  await unwrap(client.DELETE(ofContent, { params }))
}
