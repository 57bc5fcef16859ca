import type { Viewer } from '../../groups/index.ts'
import { createSettingsParser, Fault, limits, newId } from '../../kernel/index.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { seenDevice } from '../identities/devices.ts'
import { unknownIdentity } from '../identities/records.ts'
import { createTagFilterSchema } from '../identities/schemas.ts'
import type { ProvisioningOptions } from '../options.ts'
import {
  deleteCampaign,
  insertCampaign,
  listCampaigns,
  listDeviceContents,
} from '../store/downloads.ts'
import { readTags } from '../store/tags.ts'
import { noContent } from './content.ts'

/** Without a value: every device that has a tag of this name. */
export type CampaignTag = { readonly name: string; readonly value?: string }

/**
 * Devices with a tag shall get a content. It gives devices nothing: each downloads by itself what
 * it is made to download. Who has the tag now counts, and the upload that is in force now.
 */
export type Campaign = {
  readonly id: string
  readonly content: string
  /** Of the content. */
  readonly meta: string
  readonly tag: CampaignTag
  /** Microseconds. */
  readonly createdAt: number
  /** How many devices have the tag. */
  readonly devices: number
  /** How many of them have been sent all of the content, and how many a part. */
  readonly downloaded: number
  readonly downloading: number
}

/** How far a device is with a content. */
export type DeviceContent = {
  readonly content: string
  readonly meta: string
  readonly bytes: number
  /** Bytes from the first one on, without a gap, of the upload that the device began with. */
  readonly received: number
  /** Microseconds, as the others; null if no campaign is to bring it to the device. */
  readonly offeredAt: number | null
  readonly begunAt: number | null
  readonly completedAt: number | null
  /** `outdated`: what the device began with, or has, was replaced by another upload. */
  readonly status: (typeof contentStatuses)[number]
}

export const contentStatuses = ['offered', 'downloading', 'downloaded', 'outdated'] as const

/** Campaigns of a connector. All @throw Fault `not_found`. */
export type Campaigns = {
  /** The newest first; at most `limits.campaignsMax`. */
  list(businessId: string, connectorId: string): Promise<Campaign[]>
  /** @throws Fault `invalid_argument`, `already_exists`. */
  create(businessId: string, connectorId: string, input: CampaignInput): Promise<Campaign>
  /** Ends a campaign; the content and what was downloaded stay. */
  remove(businessId: string, connectorId: string, id: string): Promise<void>
  /** What a device downloaded, or is to get. @throws Fault `unknown_identity`. */
  ofDevice(viewer: Viewer, connectorId: string, identity: string): Promise<DeviceContent[]>
}

export type CampaignInput = { readonly content: string; readonly tag: CampaignTag }

const parseTag = createSettingsParser(createTagFilterSchema, 'tag')

export function createCampaigns(
  options: ProvisioningOptions,
  connectors: Pick<Connectors, 'get'>,
): Campaigns {
  const { database, clock, random } = options
  return {
    async list(businessId, connectorId) {
      const { id } = await connectors.get(businessId, connectorId)
      return listCampaigns(database, id)
    },
    async create(businessId, connectorId, { content, tag }) {
      const connector = await connectors.get(businessId, connectorId)
      const { campaignsMax } = limits
      const made = { id: newId(random), content, tag: parseTag(tag), createdAt: clock.nowUs() }
      const outcome = await database.transaction((transaction) =>
        insertCampaign(transaction, { connectorId: connector.id, ...made, campaignsMax }),
      )
      if (outcome === 'missing') throw noContent()
      if (outcome === 'there') {
        throw new Fault('already_exists', 'The content has a campaign of this tag already.')
      }
      if (outcome === 'full') {
        throw new Fault('invalid_argument', `a connector has at most ${campaignsMax} campaigns`)
      }
      const [campaign] = await listCampaigns(database, connector.id, made.id)
      if (campaign === undefined) throw noCampaign()
      return campaign
    },
    async remove(businessId, connectorId, id) {
      const connector = await connectors.get(businessId, connectorId)
      if (!(await deleteCampaign(database, connector.id, id))) throw noCampaign()
    },
    async ofDevice(viewer, connectorId, identity) {
      const connector = await seenDevice(options, connectors, viewer, { connectorId, identity })
      const known = await readTags(database, connector.id, [identity])
      if (!known.has(identity)) throw unknownIdentity()
      return listDeviceContents(database, connector.id, identity)
    },
  }
}

function noCampaign(): Fault {
  return new Fault('not_found', 'the connector has no such campaign')
}
