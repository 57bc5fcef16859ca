import { createSettingsParser, Fault, newId } from '../../../foundation/kernel/index.ts'
import type { Viewer } from '../../../people/groups/index.ts'
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
import type { Campaign, CampaignTag, DeviceContent } from './campaign.ts'
import { noContent } from './content.ts'

/** Campaigns of contents of one connector. */
const campaignsMax = 100

/** Campaigns of a connector. All @throw Fault `not_found`. */
export type Campaigns = {
  /** The newest first; at most `campaignsMax`. */
  list(businessId: string, connectorId: string): Promise<Campaign[]>
  /** @throws Fault `invalid_argument`, `already_exists`. */
  create(businessId: string, connectorId: string, input: CampaignInput): Promise<Campaign>
  /** Ends a campaign; the content and what was downloaded stay. */
  remove(businessId: string, connectorId: string, id: string): Promise<void>
  /**
   * The contents that a device downloaded, or is to get.
   * @throws Fault `unknown_identity`.
   */
  ofDevice(viewer: Viewer, connectorId: string, identity: string): Promise<DeviceContent[]>
}

export type CampaignInput = { readonly content: string; readonly tag: CampaignTag }

const parseTag = createSettingsParser(createTagFilterSchema, 'tag')

export function createCampaigns(
  options: ProvisioningOptions,
  connectors: Pick<Connectors, 'get'>,
): Campaigns {
  const { database, changes, clock, random } = options
  return {
    async list(businessId, connectorId) {
      const { id } = await connectors.get(businessId, connectorId)
      return listCampaigns(database, id)
    },
    create: changes.publishing('connectors', async (businessId, connectorId, { content, tag }) => {
      const connector = await connectors.get(businessId, connectorId)
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
    }),
    remove: changes.publishing('connectors', async (businessId, connectorId, id) => {
      const connector = await connectors.get(businessId, connectorId)
      if (!(await deleteCampaign(database, connector.id, id))) throw noCampaign()
    }),
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
