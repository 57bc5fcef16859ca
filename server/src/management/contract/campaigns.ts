import { StrictObject, Type } from '../../kernel/index.ts'
import { contentStatuses } from '../../provisioning/index.ts'
import {
  component,
  connectorParams,
  deviceParams,
  json,
  Microseconds,
  nothing,
  OptionalMicroseconds,
  PathText,
} from './common.ts'
import { contract } from './contract.ts'

const base = '/api:1/service/:connector/device2/campaigns'

const tag = component(
  'CampaignTag',
  {
    name: Type.String(),
    value: Type.Optional(Type.String({ description: 'Left out: any value.' })),
  },
  { description: 'The tag of devices.' },
)

const campaign = component(
  'Campaign',
  {
    id: Type.String(),
    content: Type.String({ description: 'The id of the content.' }),
    meta: Type.String({ description: 'The text of the content for the device.' }),
    tag,
    created: Microseconds(),
    devices: Type.Integer({ description: 'The devices that have the tag now.' }),
    downloaded: Type.Integer({
      description: 'Those that were sent all bytes of the upload that is in force.',
    }),
    downloading: Type.Integer({ description: 'Those that were sent a part of it.' }),
  },
  { description: 'Devices with a tag shall get a content, and how far they are.' },
)

const deviceContent = component(
  'DeviceContent',
  {
    content: Type.String({ description: 'The id of the content.' }),
    meta: Type.String({ description: 'The text of the content for the device.' }),
    size: Type.Integer({ description: 'Bytes of the content.' }),
    received: Type.Integer({ description: 'Bytes that were sent, from the first without a gap.' }),
    status: Type.Enum([...contentStatuses]),
    offered: OptionalMicroseconds('The start of the first campaign; null: there is none.'),
    begun: OptionalMicroseconds('The start of the download, in microseconds.'),
    completed: OptionalMicroseconds('The time at which the last byte was sent, in microseconds.'),
  },
  {
    description:
      'How far a device is with a content. `outdated`: it began with, or has, an upload that was ' +
      'replaced.',
  },
)

const head = { permission: 'Setup', tag: 'connectors' } as const

export const listCampaigns = contract(
  {
    ...head,
    id: 'listCampaigns',
    method: 'GET',
    path: base,
    summary: 'List the campaigns of a connector, the newest first, with their progress.',
    description: 'The devices of each campaign are counted: ask for it seldom.',
  },
  () => ({
    params: connectorParams,
    answers: { 200: json('The campaigns.', StrictObject({ campaigns: Type.Array(campaign) })) },
  }),
)

export const createCampaign = contract(
  {
    ...head,
    id: 'createCampaign',
    method: 'POST',
    path: base,
    summary: 'Begin a campaign: devices with a tag shall get a content.',
    description:
      'It counts which devices have downloaded the content. Devices download by themselves; ' +
      'every device of the connector still can.',
  },
  () => ({
    params: connectorParams,
    body: StrictObject({ content: Type.String({ description: 'The id of a content.' }), tag }),
    answers: { 201: json('The campaign.', campaign) },
    refuses: ['already_exists'],
    example: { request: { content: 'pump-1.bin', tag: { name: 'site', value: 'north' } } },
  }),
)

export const deleteCampaign = contract(
  {
    ...head,
    id: 'deleteCampaign',
    method: 'DELETE',
    path: `${base}/:campaign`,
    summary: 'End a campaign; the content and what devices downloaded stay.',
  },
  () => ({
    params: StrictObject({
      ...connectorParams.properties,
      campaign: PathText('The id of a campaign.'),
    }),
    answers: { 204: nothing('It is ended.') },
  }),
)

export const listDeviceContents = contract(
  {
    id: 'listDeviceContents',
    method: 'GET',
    path: '/api:1/service/:connector/device2/identity/:identity/contents',
    permission: 'Setup',
    tag: 'devices',
    ofGroups: true,
    summary: 'List the contents that a device downloaded, or that a campaign offers it, by id.',
  },
  () => ({
    params: deviceParams,
    answers: {
      200: json('The contents.', StrictObject({ contents: Type.Array(deviceContent) })),
    },
    refuses: ['unknown_identity'],
  }),
)
