import { isIPv4, isIPv6 } from 'node:net'

const email = /^[^\s@"(),:;<>[\\\]]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const date = /^(\d{4})-(\d{2})-(\d{2})$/
const clock = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d{1,20})?$/
const zone = /^(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** The formats that are checked; any other is documentation only. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDate],
  ['date-time', isDateTime],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', (text: string) => isIPv6(text) && !text.includes('%')],
  ['time', isTime],
  ['uri', isUri],
  ['uuid', (text: string) => uuid.test(text)],
])

export function isEmail(text: string): boolean {
  const { length } = text
  if (length > 254 || !email.test(text) || text.includes('..')) return false
  const name = text.slice(0, text.lastIndexOf('@'))
  return !name.startsWith('.') && !name.endsWith('.')
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split('.').every((part) => label.test(part))
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = date.exec(text) ?? []
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  const inMonth = Number(day) >= 1 && Number(day) <= days
  return year !== '' && Number(month) >= 1 && Number(month) <= 12 && inMonth
}

function isDateTime(text: string): boolean {
  return /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11))
}

function isTime(text: string): boolean {
  const at = text.search(/[z+-]/i)
  return at > 0 && clock.test(text.slice(0, at)) && zone.test(text.slice(at))
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i.test(text) && URL.canParse(text)
}
