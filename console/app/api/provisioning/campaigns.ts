import type { components } from '@millrace/client'
import { get, post, remove } from '../endpoint.ts'

/** Devices with a tag shall get a content, and how far they are. */
export type Campaign = components['schemas']['Campaign']

/** The progress of a device with a content. */
export type DeviceContent = components['schemas']['DeviceContent']

const path = '/api:1/service/{connector}/device2/campaigns'

/** The newest first. */
export const listCampaigns = get(path, 'campaigns')

/** @throws ApiError `already_exists` and others. */
export const createCampaign = post(path)

export const removeCampaign = remove(`${path}/{campaign}`)

/** Lists what a device downloaded, or is to get, by the id of the content. */
export const listDeviceContents = get(
  '/api:1/service/{connector}/device2/identity/{identity}/contents',
  'contents',
)
