import type { Campaign, DeviceContent, Provisioning } from '../../../provisioning/index.ts'
import {
  createCampaign,
  deleteCampaign,
  listCampaigns,
  listDeviceContents,
} from '../../contract/campaigns.ts'
import { created, noContent, ok, type Route, route } from '../../route.ts'
import { connectorId } from '../connectors.ts'
import { seenBy } from '../identities.ts'

/** Routes for campaigns of contents, and for what each device downloaded. */
export function campaignRoutes({ campaigns }: Pick<Provisioning, 'campaigns'>): Route[] {
  return [
    route(listCampaigns, async ({ principal, params }) => {
      const all = await campaigns.list(principal.businessId, connectorId(params))
      return ok({ campaigns: all.map(campaignBody) })
    }),
    route(createCampaign, async ({ principal, params, body }) => {
      const where = [principal.businessId, connectorId(params)] as const
      return created(campaignBody(await campaigns.create(...where, body)))
    }),
    route(deleteCampaign, async ({ principal, params }) => {
      await campaigns.remove(principal.businessId, connectorId(params), params.campaign)
      return noContent()
    }),
    route(listDeviceContents, async (call) => {
      const all = await campaigns.ofDevice(...seenBy(call))
      return ok({ contents: all.map(deviceContentBody) })
    }),
  ]
}

function campaignBody({ createdAt, ...rest }: Campaign) {
  return { ...rest, created: createdAt }
}

function deviceContentBody(one: DeviceContent) {
  const { bytes, offeredAt, begunAt, completedAt, ...rest } = one
  return { ...rest, size: bytes, offered: offeredAt, begun: begunAt, completed: completedAt }
}
