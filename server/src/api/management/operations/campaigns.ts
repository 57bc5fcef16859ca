import {
  campaignSchema,
  campaignTagSchema,
  deviceContentSchema,
} from '../../../devices/provisioning/index.ts'
import { StrictObject, Type } from '../../../foundation/kernel/index.ts'
import { deviceSeen } from '../calls.ts'
import { does, lists, makes } from '../contract/common.ts'
import { operations } from '../operation.ts'

const setup = operations('connectors', 'Setup', '/api:1/service/:connector/device2/campaigns')
const setupOfGroups = operations('devices', 'Setup', '/api:1/service', { ofGroups: true })

export const listCampaigns = setup.get(
  '',
  'List the campaigns of a connector, the newest first, with their progress.',
  () => ({
    description: 'The devices of each campaign are counted: ask for it seldom.',
    ...lists('campaigns', campaignSchema, 'The campaigns.'),
  }),
  ({ provisioning: { campaigns } }, { businessId, params }) =>
    campaigns.list(businessId, params.connector),
)

export const createCampaign = setup.post(
  '',
  'Begin a campaign: devices with a tag shall get a content.',
  () => ({
    description:
      'It counts which devices have downloaded the content. Devices download by themselves; ' +
      'every device of the connector still can.',
    body: StrictObject({
      content: Type.String({ description: 'The id of a content.' }),
      tag: campaignTagSchema,
    }),
    ...makes('The campaign.', campaignSchema),
    refuses: ['already_exists'],
    example: { request: { content: 'pump-1.bin', tag: { name: 'site', value: 'north' } } },
  }),
  ({ provisioning: { campaigns } }, { businessId, params, body }) =>
    campaigns.create(businessId, params.connector, body),
)

export const deleteCampaign = setup.remove(
  '/:campaign',
  'End a campaign; the content and what devices downloaded stay.',
  () => does('It is ended.'),
  ({ provisioning: { campaigns } }, { businessId, params }) =>
    campaigns.remove(businessId, params.connector, params.campaign),
)

export const listDeviceContents = setupOfGroups.get(
  '/:connector/device2/identity/:identity/contents',
  'List the contents that a device downloaded, or that a campaign offers it, by id.',
  () => ({
    ...lists('contents', deviceContentSchema, 'The contents.'),
    refuses: ['unknown_identity'],
  }),
  ({ provisioning: { campaigns } }, call) => campaigns.ofDevice(...deviceSeen(call)),
)
