import { BlockList, isIP } from 'node:net'
import {
  createSettingsParser,
  invalidField,
  limits,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import { provisioningLimits } from '../limits.ts'

/**
 * The addresses from which devices may be provisioned, as they were written; devices that are
 * provisioned may call from anywhere.
 */
export const ipRestrictionSchema = StrictObject({
  enabled: Type.Boolean(),
  allowed: Type.Array(Type.String()),
})
export type IpRestriction = StaticResult<typeof ipRestrictionSchema>

export const anywhere: IpRestriction = { enabled: false, allowed: [] }

const field = 'ipRestriction.allowed'
const mapped = /^::ffff:/i
const bits = { ipv4: 32, ipv6: 128 }

export function createIpRestrictionInputSchema() {
  return StrictObject({
    enabled: Type.Optional(
      Type.Boolean({ description: 'True if only these addresses may provision devices.' }),
    ),
    allowed: Type.Optional(
      Type.Array(Type.String({ rule: 'must be an address or a CIDR range' }), {
        description: 'Addresses and CIDR ranges of both families.',
        maxItems: provisioningLimits.allowedAddressesMax,
      }),
    ),
  })
}

const parse = createSettingsParser(createIpRestrictionInputSchema, 'ipRestriction')

/**
 * The restriction after a change; a field that is not named stays.
 * @throws Fault `invalid_argument`, naming the entry that is neither an address nor a range.
 */
export function parseIpRestriction(input: unknown, base: IpRestriction): IpRestriction {
  const { enabled = base.enabled, allowed = base.allowed } = parse(input)
  return { enabled, allowed: allowed.map((entry) => parseAddresses(field, entry)) }
}

/** A list of each family: a list of both would find an IPv4 address in `::/0`. */
type Lists = Readonly<Record<'ipv4' | 'ipv6', BlockList>>

/** A restriction is read and shown as JSON, so its lists are no field of it. */
const cachedLists = new WeakMap<IpRestriction, Lists>()

/** Returns true if a device may be provisioned from the address. An invalid address may not. */
export function allowsAddress(restriction: IpRestriction, ip: string): boolean {
  if (!restriction.enabled) return true
  // The zone of a link-local address only names the own interface that it came by.
  const [address = ''] = ip.replace(mapped, '').split('%')
  const family = addressFamily(address)
  if (family === undefined) return false
  const lists = cachedLists.get(restriction) ?? makeLists(restriction)
  cachedLists.set(restriction, lists)
  return lists[family].check(address, family)
}

function makeLists({ allowed }: IpRestriction): Lists {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const entry of allowed) {
    const { address, family, prefix } = parseEntry(field, entry)
    lists[family].addSubnet(address, prefix, family)
  }
  return lists
}

/**
 * An address or a CIDR range of either family, as it was written.
 * @param name names it in the refusal.
 * @throws Fault `invalid_argument`.
 */
export function parseAddresses(name: string, entry: string): string {
  return parseEntry(name, entry).text
}

function parseEntry(name: string, entry: string) {
  const refused = (rule: string) => {
    const shown = JSON.stringify(entry).slice(0, limits.nameCharsMax)
    return invalidField(name, `${rule}: ${shown}`)
  }
  const [address = '', prefixText, ...more] = entry.split('/')
  const family = addressFamily(address)
  if (family === undefined || more.length > 0 || address.includes('%')) {
    throw refused('is neither an address nor a CIDR range such as 10.0.0.0/8')
  }
  if (mapped.test(address)) throw refused('must be written as the IPv4 address that it is')
  const prefix = prefixText === undefined ? bits[family] : parsePrefix(prefixText)
  if (!(prefix <= bits[family])) throw refused(`must end in /0 to /${bits[family]}`)
  return { text: entry, address, family, prefix }
}

/** NaN where it is no prefix. */
function parsePrefix(text: string): number {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) ? Number(text) : Number.NaN
}

function addressFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 4 ? 'ipv4' : 'ipv6'
}
