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
