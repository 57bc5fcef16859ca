import { type components, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'

/** Devices with a tag shall get a content, and how far they are. */
export type Campaign = components['schemas']['Campaign']

/** How far a device is with a content. */
export type DeviceContent = components['schemas']['DeviceContent']

/** What is said of a new campaign. */
export type CampaignPart = Pick<Campaign, 'content' | 'tag'>

const path = '/api:1/service/{connector}/device2/campaigns'

/** The newest first. */
export async function listCampaigns(
  client: Client,
  connector: string,
  signal: AbortSignal | null = null,
): Promise<Campaign[]> {
  const params = { path: { connector } }
  const { campaigns } = await unwrap(client.GET(path, { params, signal }))
  return campaigns
}

/** @throws ApiError `already_exists` and others. */
export async function createCampaign(
  client: Client,
  connector: string,
  body: CampaignPart,
): Promise<void> {
  await unwrap(client.POST(path, { params: { path: { connector } }, body }))
}

export async function removeCampaign(
  client: Client,
  connector: string,
  campaign: string,
): Promise<void> {
  const params = { path: { connector, campaign } }
  await unwrap(client.DELETE(`${path}/{campaign}`, { params }))
}

/** What a device downloaded, or is to get, by the id of the content. */
export async function listDeviceContents(
  client: Client,
  connector: string,
  identity: string,
  signal: AbortSignal | null = null,
): Promise<DeviceContent[]> {
  const params = { path: { connector, identity } }
  const ofDevice = '/api:1/service/{connector}/device2/identity/{identity}/contents'
  const { contents } = await unwrap(client.GET(ofDevice, { params, signal }))
  return contents
}
