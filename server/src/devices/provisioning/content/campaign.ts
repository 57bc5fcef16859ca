import {
  component,
  Microseconds,
  OptionalMicroseconds,
  type StaticResult,
  Type,
} from '../../../foundation/kernel/index.ts'

/** Without a value: every device that has a tag of this name. */
export const campaignTagSchema = component(
  'CampaignTag',
  {
    name: Type.String(),
    value: Type.Optional(Type.String({ description: 'Left out: any value.' })),
  },
  { description: 'The tag of devices.' },
)
export type CampaignTag = StaticResult<typeof campaignTagSchema>

/**
 * Devices with a tag shall get a content. It gives devices nothing: each downloads by itself what
 * it is made to download. Devices that have the tag now count, and the upload that is in force now.
 */
export const campaignSchema = component(
  'Campaign',
  {
    id: Type.String(),
    content: Type.String({ description: 'The id of the content.' }),
    meta: Type.String({ description: 'The text of the content for the device.' }),
    tag: campaignTagSchema,
    createdAt: Microseconds(undefined, { wire: 'created' }),
    devices: Type.Integer({ description: 'The devices that have the tag now.' }),
    downloaded: Type.Integer({
      description: 'Those that were sent all bytes of the upload that is in force.',
    }),
    downloading: Type.Integer({ description: 'Those that were sent a part of it.' }),
  },
  { description: 'Devices with a tag shall get a content, and how far they are.' },
)
export type Campaign = StaticResult<typeof campaignSchema>

export const contentStatuses = ['offered', 'downloading', 'downloaded', 'outdated'] as const

/** The progress of a device with a content. */
export const deviceContentSchema = component(
  'DeviceContent',
  {
    content: Type.String({ description: 'The id of the content.' }),
    meta: Type.String({ description: 'The text of the content for the device.' }),
    bytes: Type.Integer({ description: 'Bytes of the content.', wire: 'size' }),
    received: Type.Integer({ description: 'Bytes that were sent, from the first without a gap.' }),
    status: Type.Enum([...contentStatuses]),
    offeredAt: OptionalMicroseconds('The start of the first campaign; null: there is none.', {
      wire: 'offered',
    }),
    begunAt: OptionalMicroseconds('The start of the download, in microseconds.', { wire: 'begun' }),
    completedAt: OptionalMicroseconds(
      'The time at which the last byte was sent, in microseconds.',
      { wire: 'completed' },
    ),
  },
  {
    description:
      'How far a device is with a content. `outdated`: it began with, or has, an upload that was ' +
      'replaced.',
  },
)
export type DeviceContent = StaticResult<typeof deviceContentSchema>
