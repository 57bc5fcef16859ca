import type { DeviceFilter, DeviceStatus } from '../../../api/devices.ts'

/** Every status, in the order of a device's life. */
export const statuses: readonly DeviceStatus[] = [
  'whitelisted',
  'provisioned',
  'devmode',
  'reprovision',
  'expired',
  'locked',
]

/** The filters and the place of the page, as the address has them. */
export type DeviceSearch = {
  readonly text?: string
  readonly status?: DeviceStatus
  readonly tag?: string
  readonly online?: 'yes' | 'no'
  readonly address?: string
  readonly before?: string
}

/** Reads the part of an address behind the question mark; what it does not know is left out. */
export function parseDeviceSearch(search: Readonly<Record<string, unknown>>): DeviceSearch {
  const texts = (['text', 'tag', 'address', 'before'] as const).flatMap((name) => {
    const value = search[name]
    const isText = ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
    return isText ? [[name, `${value}`] as const] : []
  })
  const status = statuses.find((one) => one === search.status)
  const { online } = search
  return {
    ...Object.fromEntries(texts),
    ...(status !== undefined && { status }),
    ...((online === 'yes' || online === 'no') && { online }),
  }
}

export function toFilter({ before: _, online, ...rest }: DeviceSearch): DeviceFilter {
  return { ...rest, ...(online !== undefined && { online: online === 'yes' }) }
}
