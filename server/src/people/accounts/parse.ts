import { BlockList, isIP } from 'node:net'
import { Fault, invalidField, limits, readableText } from '../../foundation/kernel/index.ts'
import { accountLimits } from './limits.ts'
import type { ListedRole, RateLimits } from './schema.ts'

/** Network addresses and ranges from which one API token is taken. */
const tokenAddressesMax = 50

const emailShape = /^[^\s@:\p{C}]+@[^\s@:\p{C}]+$/u
const tokenShape = /^[0-9a-f]{40}$/
const businessIdShape = /^[a-z][a-z0-9-]{0,62}$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacter = /[\u0000-\u001f\u007f]/

/** The key under which an e-mail address is unique; undefined if the text is no address. */
export function emailKey(email: string): string | undefined {
  if (email.length > limits.emailCharsMax || !emailShape.test(email)) return undefined
  return email.normalize('NFC').toLowerCase()
}

/** @throws Fault invalid_argument */
export function parseEmail(email: string): { email: string; key: string } {
  const key = emailKey(email)
  if (key === undefined) throw new Fault('invalid_argument', 'The e-mail address is not valid.')
  return { email, key }
}

/** Characters of a display name, an IP literal or a comment; letters that look like i or j. */
const notInNew = /[<>[\]()",;\\\u0131\u0237]/

/**
 * The e-mail address of somebody new: one that mail reaches, and that does not look like another's.
 * @throws Fault invalid_argument
 */
export function parseNewEmail(email: string): { email: string; key: string } {
  const isPlainForm = email.normalize('NFKC') === email.normalize('NFC')
  if (isPlainForm && !notInNew.test(email)) return parseEmail(email)
  throw new Fault('invalid_argument', 'The e-mail address is not valid.')
}

/** @throws Fault invalid_argument */
export function parsePassword(password: string): string {
  const { accountPasswordCharsMin: min } = limits
  const { accountPasswordCharsMax: max } = accountLimits
  if (password.length >= min && password.length <= max) return password
  throw new Fault('invalid_argument', `A password has ${min} to ${max} characters.`)
}

/** @throws Fault invalid_argument */
export function parseName(name: string): string {
  const trimmed = name.trim()
  if (
    trimmed.length > 0 &&
    trimmed.length <= limits.nameCharsMax &&
    !controlCharacter.test(trimmed)
  )
    return trimmed
  throw new Fault(
    'invalid_argument',
    `A name has 1 to ${limits.nameCharsMax} printable characters.`,
  )
}

/** The name of a person, which may be empty. @throws Fault invalid_argument */
export function parsePersonName(name: string): string {
  return name.trim() === '' ? '' : parseName(name)
}

/** Addresses and ranges, such as `192.0.2.0/24`, each checked. @throws Fault invalid_argument */
export function parseRanges(ranges: readonly string[]): readonly string[] {
  if (ranges.length > tokenAddressesMax) {
    throw invalidField('addresses', `are at most ${tokenAddressesMax}`)
  }
  const trimmed = [...new Set(ranges.map((range) => range.trim()))]
  for (const range of trimmed) addRange(new BlockList(), range)
  return trimmed
}

/** A check of addresses against ranges that were parsed; no range allows any. */
export function rangeCheck(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
  }
}

function addRange(list: BlockList, range: string): void {
  const [address = '', bits, ...more] = range.split('/')
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  const length = bits === undefined ? most : Number(bits)
  const isLength = bits === undefined || (/^\d{1,3}$/.test(bits) && length <= most)
  if (family === 0 || !isLength || more.length > 0) {
    throw invalidField(
      'addresses',
      `hold ${JSON.stringify(range.slice(0, 64))}, which is not a range`,
    )
  }
  list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
}

/** @throws Fault invalid_argument */
export function parseBusinessId(id: string): string {
  if (businessIdShape.test(id)) return id
  throw new Fault(
    'invalid_argument',
    'The id of a business begins with a letter and has up to 63 of a-z, 0-9 and "-".',
  )
}

/** True if a text can be an id or a name; the database cannot store any other. */
export function isPlain(text: string): boolean {
  return text.length <= limits.nameCharsMax && !controlCharacter.test(text)
}

/** True if a text has the shape of a token; any other is refused without a query. */
export function isToken(text: string): boolean {
  return tokenShape.test(text)
}

/** The credential of an `Authorization` header. */
export type ParsedCredential =
  | { readonly scheme: 'basic'; readonly email: string; readonly password: string }
  | { readonly scheme: 'token' | 'automation'; readonly token: string }

/** The credential in a header's value; undefined if there is none that can be read. */
export function parseAuthorization(header: string): ParsedCredential | undefined {
  const at = header.indexOf(' ')
  const scheme = header.slice(0, at).toLowerCase()
  const rest = header.slice(at + 1).trim()
  if (scheme === 'basic') return parseBasic(rest)
  if (scheme === 'token') return { scheme, token: rest }
  if (scheme === 'automation' || scheme === 'bearer') return { scheme: 'automation', token: rest }
  return undefined
}

function parseBasic(encoded: string): ParsedCredential | undefined {
  const text = readableText(Buffer.from(encoded, 'base64'))
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  return { scheme: 'basic', email: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** @throws Fault invalid_argument */
export function parseRateLimits({ requests, timeMs }: RateLimits): ListedRole['rateLimits'] {
  return {
    requests: parseRate('requests', requests, accountLimits.graphqlTokenRequestsMax),
    timeMs: parseRate('time', timeMs, accountLimits.graphqlTokenMsMax),
  }
}

function parseRate(name: string, value: number | undefined, max: number): number | null {
  if (value === undefined) return null
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new Fault('invalid_argument', `"rate_limits.${name}" is a whole number from 1 to ${max}.`)
}
