import { createHash } from 'node:crypto'
import type { Random } from '../../kernel/index.ts'

/** The shape of every id here: two letters and 32 hexadecimal digits. */
const sid = /^[0-9a-zA-Z]{34}$/

export const newBindingSid = (random: Random) => `BS${random(16).toString('hex')}`
export const newNotificationSid = (random: Random) => `NT${random(16).toString('hex')}`

export function isSid(value: unknown): value is string {
  return typeof value === 'string' && sid.test(value)
}

/** The account of a solution that has configured none: always the same. */
export function accountSidOf(solutionId: string): string {
  return `AC${createHash('sha256').update(solutionId).digest('hex').slice(0, 32)}`
}

/** A uuid of a job: a provider that is told it twice may know that it was told before. */
export function jobIdOf(notificationSid: string, bindingSid: string): string {
  const hash = createHash('sha256').update(`${notificationSid}/${bindingSid}`).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = hash.toString('hex')
  return [8, 12, 16, 20, 32].map((end, at, ends) => hex.slice(ends[at - 1] ?? 0, end)).join('-')
}
