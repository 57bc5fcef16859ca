import { createHash, hash } from 'node:crypto'
import type { Random } from '../../../foundation/kernel/index.ts'

/** The shape of every id here: two letters and 32 hexadecimal digits. */
const sid = /^[0-9a-zA-Z]{34}$/

export const newBindingSid = (random: Random) => `BS${random(16).toString('hex')}`
export const newNotificationSid = (random: Random) => `NT${random(16).toString('hex')}`

export function isSid(value: unknown): value is string {
  return typeof value === 'string' && sid.test(value)
}

/** The account of a solution that has configured none: always the same. */
export function makeAccountSid(solutionId: string): string {
  return `AC${createHash('sha256').update(solutionId).digest('hex').slice(0, 32)}`
}

/** A uuid of a job, the same at each attempt: a provider may deduplicate by it. */
export function makeJobId(notificationSid: string, bindingSid: string): string {
  const hex = hash('sha256', `${notificationSid}/${bindingSid}`)
  // Version 8, and the variant of RFC 9562.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const fourth = `${variant}${hex.slice(17, 20)}`
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, fourth]
  return [...parts, hex.slice(20, 32)].join('-')
}
