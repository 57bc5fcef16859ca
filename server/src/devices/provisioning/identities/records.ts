import type { Database } from '../../../foundation/database/index.ts'
import {
  createSettingsParser,
  Fault,
  invalidField,
  limits,
  omitUndefined,
  presentUntil,
  refuseUnit,
} from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Connector } from '../connectors/connector.ts'
import { parseAddresses } from '../connectors/ip-restriction.ts'
import type { Device } from '../device.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import { readCertificate } from '../store/certificates.ts'
import { type IdentityRow, readIdentity } from '../store/identities.ts'
import {
  countIdentities,
  type IdentityOrder,
  type IdentityQuery,
  listIdentities,
  listOrdered,
} from '../store/list.ts'
import { readPopulation } from '../store/population.ts'
import { identitiesLike } from '../store/search.ts'
import { mendStamps, readAliases, readValues, type ValueRow } from '../store/values.ts'
import type { Tag } from './identity.ts'
import { toLikePattern } from './identity-pattern.ts'
import { matchingNames } from './matching-names.ts'
import {
  createListSchema,
  type FilterInput,
  type IdentityPage,
  type IdentityRecord,
  type ListInput,
  type ResourceValue,
} from './schemas.ts'

/** The conditions that scripts may put on a list beyond its parameters. */
export type ListMore = {
  /** The most rows, past `limits.pageMax`. */
  readonly limit?: number
  /** Rows to skip. */
  readonly offset?: number
  readonly order?: readonly IdentityOrder[]
  /** Each one must be there. */
  readonly tags?: readonly Partial<Tag>[]
  /** A regular expression that an identity must hold a match of. */
  readonly pattern?: string
}

/** A device's request for a value. */
export type CurrentValue = ResourceValue & {
  /** Microseconds of `set`. */
  readonly setAt: number
  /** True if the cloud wrote `set`, and the device has not answered. */
  readonly pending: boolean
  /**
   * A stamp in the future that the value before had, from a clock that ran ahead; negative: that
   * this value had. Null: none.
   */
  readonly aheadAt: number | null
}

/** Reading; each function has checked whose connector it is before. */
export type Records = {
  /** @throws Fault `unknown_identity`. */
  get(connector: Connector, identity: string): Promise<IdentityRecord>
  list(connector: Connector, view: View, input: ListInput, more?: ListMore): Promise<IdentityPage>
  /** Counts those that the list would show without a limit. */
  count(connector: Connector, view: View, input: FilterInput, more?: ListMore): Promise<number>
  /** @throws Fault `too_large`. */
  values(device: Device, aliases: readonly string[]): Promise<Map<string, CurrentValue>>
  /** Gives values of the device that are stamped in the future the time of now. */
  mendStamps(device: Device): Promise<void>
}

export function createRecords({ database, clock }: ProvisioningOptions): Records {
  async function get(connector: Connector, identity: string): Promise<IdentityRecord> {
    const nowUs = clock.nowUs()
    const row = await readIdentity(database, connector.id, identity, nowUs)
    if (row === undefined) throw unknownIdentity()
    const rows = await readValues(database, connector.id, [identity], limits.stateBytesMax)
    const key = await readCertificate(database, connector.id, identity)
    return record(connector, row, collectStates(connector, rows).get(identity), nowUs, key)
  }

  async function list(
    connector: Connector,
    view: View,
    input: ListInput,
    more: ListMore = {},
  ): Promise<IdentityPage> {
    const nowUs = clock.nowUs()
    const { found, rowsMax } = await findPage(database, { connector, view }, nowUs, input, more)
    const rows = found.slice(0, rowsMax)
    const names = rows.map((row) => row.identity)
    const values = await readValues(database, connector.id, names, limits.stateBytesMax)
    const shown = rows.slice(0, fitting(names, values))
    const states = collectStates(connector, values)
    return {
      mayLoadMore: found.length > shown.length,
      total: await countTotal(connector, view, nowUs),
      ...(input.count && { matching: await count(connector, view, input) }),
      devices: shown.map((row) => record(connector, row, states.get(row.identity), nowUs)),
    }
  }

  async function count(
    connector: Connector,
    view: View,
    input: FilterInput,
    more: ListMore = {},
  ): Promise<number> {
    const nowUs = clock.nowUs()
    const filters = await makeFilters(database, { connector, view }, nowUs, input, more)
    return countIdentities(database, connector.id, nowUs, filters)
  }

  async function countTotal({ id }: Connector, view: View, nowUs: number): Promise<number> {
    if (view.groups === 'all') return readPopulation(database, id)
    return countIdentities(database, id, nowUs, { ...everything, view })
  }

  return {
    get,
    list,
    count,
    async values({ connector, identity }, aliases) {
      const bytesMax = limits.stateBytesMax
      const rows = await readAliases(database, connector.id, identity, aliases, bytesMax)
      if (rows.some((row) => row.over)) throw tooLarge()
      return new Map(
        rows.map((row) => {
          const { pending, set_at: setAt, ahead_at: aheadAt } = row
          return [row.alias, { ...resourceValue(row), setAt: setAt ?? row.at, pending, aheadAt }]
        }),
      )
    },
    mendStamps({ connector, identity }) {
      const nowUs = clock.nowUs()
      return mendStamps(database, connector.id, identity, nowUs, presentUntil(nowUs))
    },
  }
}

/** The filters that select every identity. */
export const everything = { like: undefined, status: undefined, addresses: undefined, tags: [] }

/** The connector whose devices are listed, and who reads the list. */
type Place = { readonly connector: Connector; readonly view: View }

/** The filters of a list's parameters. @throws Fault `invalid_argument`. */
export async function makeFilters(
  database: Database,
  { connector, view }: Place,
  nowUs: number,
  input: ListInput,
  more: ListMore = {},
) {
  const page = parsePage(input, nowUs)
  const tags = [...page.tags, ...(more.tags ?? [])]
  const filters = { ...page, view, tags }
  if (more.pattern === undefined) {
    const like = page.like && (await identitiesLike(database, connector.id, page.like))
    return like ? { ...filters, names: like } : filters
  }
  return { ...filters, names: await matchingNames(database, connector.id, more.pattern) }
}

/** The order of a list that names none. */
const usualOrder = [{ by: 'lastseen', isDescending: true }] as const

/** Reads the rows of a page, and one more if there is one. */
async function findPage(
  database: Database,
  place: Place,
  nowUs: number,
  input: ListInput,
  more: ListMore,
): Promise<{ readonly found: readonly IdentityRow[]; readonly rowsMax: number }> {
  const filters = await makeFilters(database, place, nowUs, input, more)
  const { connector } = place
  const rowsMax = more.limit ?? filters.rowsMax
  const page = { ...filters, rowsMax: rowsMax + 1 }
  const { offset = 0, order } = more
  if (offset === 0 && order === undefined) {
    return { rowsMax, found: await listIdentities(database, connector.id, nowUs, page) }
  }
  if (page.after !== undefined) {
    throw invalidField('before', 'belongs to a list without offset and order')
  }
  const ordered = { ...page, offset, order: order ?? usualOrder }
  return { rowsMax, found: await listOrdered(database, connector.id, nowUs, ordered) }
}

/** The refusal of an identity that is not there. */
export function unknownIdentity(): Fault {
  return new Fault('unknown_identity', 'the connector has no such identity')
}

/** The refusal of values that are too many bytes for one answer. */
export function tooLarge(): Fault {
  return new Fault('too_large', `the values have more than ${limits.stateBytesMax} bytes`)
}

/** Counts the devices that fit whole; one that does not fit at all is shown cut, alone. */
function fitting(names: readonly string[], values: readonly ValueRow[]): number {
  const last = values.at(-1)
  return last?.over === true ? Math.max(1, names.indexOf(last.identity)) : names.length
}

type DeviceState = { readonly values: [string, ResourceValue][]; cut: boolean }

function collectStates(
  connector: Connector,
  rows: readonly ValueRow[],
): ReadonlyMap<string, DeviceState> {
  const states = new Map<string, DeviceState>()
  for (const row of rows) {
    const state = states.get(row.identity) ?? { values: [], cut: false }
    states.set(row.identity, state)
    if (row.over) state.cut = true
    else if (connector.resources.has(row.alias)) state.values.push([row.alias, resourceValue(row)])
  }
  return states
}

export function resourceValue(row: ValueRow): ResourceValue {
  return { reported: row.reported, set: row.set_value ?? '', timestamp: row.at }
}

function record(
  connector: Connector,
  row: IdentityRow,
  state: DeviceState | undefined,
  nowUs: number,
  key?: string,
): IdentityRecord {
  return {
    identity: row.identity,
    auth: {
      type: row.auth_type ?? (row.certificate_given === null ? connector.authType : 'certificate'),
      ...(row.activate_until !== null && { expire: row.activate_until }),
      ...(key !== undefined && { key }),
    },
    state: Object.fromEntries(state?.values ?? []),
    ...(state?.cut && { stateCut: true }),
    locked: row.locked,
    reprovision: row.reprovision,
    devmode: row.devmode,
    lastip: row.lastip,
    lastseen: row.lastseen,
    status: row.status,
    online: isOnline(row.lastseen, nowUs),
    tags: row.tags,
  }
}

/** When a device that is online was seen last. A time of a clock that ran ahead is ignored. */
export function onlineBetween(nowUs: number): { readonly from: number; readonly to: number } {
  return { from: nowUs - provisioningLimits.deviceOnlineMs * 1_000 + 1, to: presentUntil(nowUs) }
}

export function isOnline(lastseen: number | null, nowUs: number): boolean {
  const { from, to } = onlineBetween(nowUs)
  return lastseen !== null && lastseen >= from && lastseen <= to
}

const parse = createSettingsParser(createListSchema, 'query', '')

function parsePage(input: ListInput, nowUs: number): Omit<IdentityQuery, 'view'> {
  const { limit: rowsMax = limits.pageDefault, ...part } = parse(omitUndefined(input))
  const { before, status, identity, ipaddress, tag: name, tagValue: value, online } = part
  if (name === undefined && value !== undefined) {
    throw invalidField('tag_value', 'needs the name of the tag as tag')
  }
  return {
    rowsMax,
    like: identity === undefined ? undefined : toLikePattern(identity),
    addresses: ipaddress === undefined ? undefined : parseAddresses('ipaddress', ipaddress),
    status,
    after: before === undefined ? undefined : parseBefore(before),
    tags: name === undefined ? [] : [omitUndefined({ name, value })],
    online: online === undefined ? undefined : { is: online, ...onlineBetween(nowUs) },
  }
}

function parseBefore(before: string): IdentityQuery['after'] {
  const [, lastseen = '', identity] = /^(\d{1,16})(?::(.+))?$/u.exec(before) ?? []
  if (lastseen === '' || !Number.isSafeInteger(Number(lastseen))) {
    throw invalidField('before', 'must be <lastseen> or <lastseen>:<identity>')
  }
  const refusal = refuseUnit(Number(lastseen))
  if (refusal !== undefined) throw invalidField('before', refusal)
  return { lastseen: Number(lastseen), identity }
}
