import {
  checkedDescription,
  checkedPage,
  checkedText,
  Fault,
  invalid,
  limits,
  type PageRange,
} from '../../../foundation/kernel/index.ts'
import { toView, type View, type Viewer, wholeView } from '../../../people/groups/index.ts'
import { type Connector, isConnectorId } from '../connectors/connector.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { ProvisioningOptions } from '../options.ts'
import { groupDevices, moveGroupDevices } from '../store/business.ts'
import {
  changeDevices,
  type DeviceName,
  type DeviceQuery,
  type DeviceUpdate,
  deviceCounts,
  devicePage,
  devicesInGroups,
  devicesNamed,
  holdDevices,
  isDeviceSeen,
  type PlacedIdentity,
} from '../store/devices.ts'
import { searchPage } from '../store/search.ts'
import { readStates, type StateRow } from '../store/values.ts'
import { type Status, statuses } from './identity.ts'
import { isOnline, onlineBetween, resourceValue, unknownIdentity } from './records.ts'
import type { IdentityRecord, State } from './schemas.ts'

/** A device as people see it: an identity of a connector, in a group. */
export type DeviceRecord = Pick<
  IdentityRecord,
  'identity' | 'locked' | 'status' | 'online' | 'lastip' | 'lastseen' | 'tags'
> & {
  readonly connectorId: string
  /** Null: the root. */
  readonly groupId: string | null
  /** Empty: nobody gave one. */
  readonly name: string
  readonly description: string
}

/** Devices that have all that is given. */
export type DeviceFilter = {
  readonly connectorId?: string | null | undefined
  /** Identities, or `<connector>.<identity>`. */
  readonly ids?: readonly string[] | null | undefined
  /** Letters of the identity, the name or the description, in any case. */
  readonly text?: string | null | undefined
  readonly status?: string | null | undefined
  /** Seen a short while ago, or not. */
  readonly online?: boolean | null | undefined
  /** In this group or below it. */
  readonly groupId?: string | null | undefined
  readonly descending?: boolean | null | undefined
  /** `<connector>.<identity>`, after which the page begins. */
  readonly after?: string | null | undefined
}

/** A change of a device; fields that are left out stay. */
export type DeviceChange = {
  readonly groupId?: string | null | undefined
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
}

/**
 * The devices of a business, of all its connectors. A device that a view does not see is not there.
 */
export type Devices = {
  /** By connector and identity. @throws Fault `invalid_argument`. */
  list(view: View, filter?: DeviceFilter, page?: PageRange): Promise<DeviceRecord[]>
  /** The devices of these names; others are missing. */
  some(view: View, names: readonly DeviceName[]): Promise<DeviceRecord[]>
  /** A page of the devices of each of these groups, which were read with this view, by group. */
  inGroups(
    view: View,
    groupIds: readonly string[],
    page?: PageRange,
  ): Promise<ReadonlyMap<string, DeviceRecord[]>>
  /** Counts the devices of groups that were read with this view; 0 are missing. */
  countIn(view: View, groupIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * The values of devices that were read with this view, by `deviceId`; without values that pass
   * `limits.stateBytesMax` in all.
   */
  states(view: View, names: readonly DeviceName[]): Promise<ReadonlyMap<string, State>>
  /** @throws Fault `not_found` (device, group), `invalid_argument`. */
  update(view: View, name: DeviceName, change: DeviceChange): Promise<DeviceRecord>
  /** Moves all of these devices into a group, or none. @throws Fault as `update`. */
  claim(view: View, names: readonly DeviceName[], groupId: string): Promise<DeviceRecord[]>
  /**
   * Moves those of these devices that are there into a group, and returns for each name the device
   * or `not_found`. @throws Fault as `update`, of the group.
   */
  claimEach(
    view: View,
    names: readonly DeviceName[],
    groupId: string,
  ): Promise<(DeviceRecord | Fault)[]>
}

/** The id of a device among all of a business. No connector has a dot in its name. */
export function deviceId({ connectorId, identity }: DeviceName): string {
  return `${connectorId}.${identity}`
}

/** The device of such an id; undefined where it is none. */
export function deviceOfId(id: string): DeviceName | undefined {
  const dot = id.indexOf('.')
  const connectorId = id.slice(0, Math.max(dot, 0))
  if (!isConnectorId(connectorId)) return undefined
  return { connectorId, identity: id.slice(dot + 1) }
}

export function createDevices(
  options: ProvisioningOptions,
  connectors: Pick<Connectors, 'list'>,
): Devices {
  const { database, changes, clock, groups } = options
  groups.onRemove({
    dependants: (queryable, _businessId, groupId) => groupDevices(queryable, groupId),
    move: (transaction, _businessId, from, to) => moveGroupDevices(transaction, from, to),
  })
  const some = async (view: View, names: readonly DeviceName[]) => {
    const nowUs = clock.nowUs()
    const rows = await devicesNamed(database, await groups.widened(view), nowUs, names)
    return rows.map((row) => toRecord(row, nowUs))
  }

  return {
    list: (view, filter, page) => listDevices(options, view, filter, page),
    some,
    async inGroups(view, groupIds, page) {
      const nowUs = clock.nowUs()
      const { id: rootId } = await groups.root(view)
      const asked = { rootId, ...checkedPage(page) }
      const found = await devicesInGroups(database, view, nowUs, groupIds, asked)
      return new Map([...found].map(([id, rows]) => [id, rows.map((row) => toRecord(row, nowUs))]))
    },
    async countIn(view, groupIds) {
      const { id: rootId } = await groups.root(view)
      return deviceCounts(database, view, groupIds, rootId)
    },
    async states(view, names) {
      const own = new Map((await connectors.list(view.businessId)).map((one) => [one.id, one]))
      const rows = await readStates(database, names, limits.stateBytesMax)
      const shown = rows.filter(
        (row) => !row.over && own.get(row.connector_id)?.resources.has(row.alias),
      )
      return groupStates(shown)
    },
    update: changes.publishing('devices', async (view, name, change) => {
      await changeSeen(options, view, [name], change)
      const [record] = await some(view, [name])
      if (record === undefined) throw unknownDevice(name)
      return record
    }),
    claim: changes.publishing('devices', async (view, names, groupId) => {
      checkCount(names)
      await changeSeen(options, view, names, { groupId })
      return some(view, names)
    }),
    claimEach: changes.publishing('devices', async (view, names, groupId) => {
      checkCount(names)
      // The database takes no text with a NUL, so no device has one.
      const possible = names.filter((one) => !deviceId(one).includes('\0'))
      await changeSeen(options, view, possible, { groupId }, 'skip')
      const found = await some(view, possible)
      const records = new Map(found.map((record) => [deviceId(record), record]))
      return names.map((one) => records.get(deviceId(one)) ?? unknownDevice(one))
    }),
  }
}

/**
 * The connector of a device, for one who sees the device; of one who sees all of the business
 * nothing is asked.
 * @throws Fault `not_found` for a foreign connector; `unknown_identity`.
 */
export async function seenDevice(
  { database, groups }: Pick<ProvisioningOptions, 'database' | 'groups'>,
  connectors: Pick<Connectors, 'get'>,
  viewer: Viewer,
  name: DeviceName,
): Promise<Connector> {
  const view = await groups.widened(toView(viewer))
  const connector = await connectors.get(view.businessId, name.connectorId)
  if (view.groups === 'all' || (await isDeviceSeen(database, view, name))) return connector
  throw unknownIdentity()
}

async function listDevices(
  { database, clock, groups }: ProvisioningOptions,
  view: View,
  filter: DeviceFilter = {},
  page?: PageRange,
): Promise<DeviceRecord[]> {
  const nowUs = clock.nowUs()
  const query = { ...toQuery(filter, nowUs), ...checkedPage(page) }
  const { groupId } = filter
  // A group is asked for by one who sees it; else there is none.
  const place = groupId == null ? undefined : await groups.get(view, groupId)
  const within = place === undefined || place.depth === 0 ? {} : { groupId: place.id }
  const seen = place?.depth === 0 ? wholeView(view.businessId) : await groups.widened(view)
  const asked = { ...query, ...within }
  const { text } = filter
  const rows = text
    ? await searchPage(database, seen, nowUs, { ...asked, text })
    : await devicePage(database, seen, nowUs, asked)
  return rows.map((row) => toRecord(row, nowUs))
}

function toQuery(filter: DeviceFilter, nowUs: number): Omit<DeviceQuery, 'limit' | 'offset'> {
  const { connectorId, ids, status, online, descending, after } = filter
  const last = after == null ? undefined : deviceOfId(after)
  if (after != null && last === undefined) throw invalid('after is the id of a device')
  return {
    connectorId: connectorId ?? undefined,
    ids: ids ?? undefined,
    names: ids?.flatMap((id) => deviceOfId(id) ?? []),
    status: status == null ? undefined : parseStatus(status),
    online: online == null ? undefined : { is: online, ...onlineBetween(nowUs) },
    descending: descending === true,
    after: last,
  }
}

function parseStatus(text: string): Status {
  const status = statuses.find((one) => one === text.toLowerCase())
  if (status !== undefined) return status
  throw invalid(`the status of a device is one of ${statuses.join(', ')}`)
}

function toRecord(row: PlacedIdentity, nowUs: number): DeviceRecord {
  return {
    connectorId: row.connector_id,
    identity: row.identity,
    groupId: row.group_id,
    name: row.name,
    description: row.description,
    locked: row.locked,
    status: row.status,
    online: isOnline(row.lastseen, nowUs),
    lastip: row.lastip,
    lastseen: row.lastseen,
    tags: row.tags,
  }
}

function groupStates(rows: readonly StateRow[]): ReadonlyMap<string, State> {
  const byDevice = Map.groupBy(rows, (row) =>
    deviceId({ connectorId: row.connector_id, identity: row.identity }),
  )
  return new Map(
    [...byDevice].map(([id, own]) => [
      id,
      Object.fromEntries(own.map((row) => [row.alias, resourceValue(row)])),
    ]),
  )
}

/** Changes devices that are there, and that the view sees. */
async function changeSeen(
  { database, groups }: ProvisioningOptions,
  view: View,
  names: readonly DeviceName[],
  { groupId, name, description }: DeviceChange,
  others: 'refuse' | 'skip' = 'refuse',
): Promise<void> {
  const said: DeviceUpdate = {
    ...(name != null && { name: checkedText(name.trim(), 'a name', limits.nameCharsMax) }),
    ...(description !== undefined && { description: checkedDescription(description) }),
  }
  const seen = await groups.widened(view)
  await database.transaction(async (transaction) => {
    const place = groupId == null ? undefined : await groups.hold(transaction, view, groupId)
    const held = await holdDevices(transaction, seen, names)
    const known = new Set(held.map(deviceId))
    const missing = names.find((one) => !known.has(deviceId(one)))
    if (missing !== undefined && others === 'refuse') throw unknownDevice(missing)
    const within = place && { groupId: place.depth === 0 ? null : place.id }
    await changeDevices(transaction, held, { ...said, ...within })
  })
}

function checkCount({ length }: readonly DeviceName[]): void {
  if (length > 0 && length <= limits.pageMax) return
  throw invalid(`1 to ${limits.pageMax} devices are claimed at once`)
}

function unknownDevice({ connectorId, identity }: DeviceName): Fault {
  return new Fault('not_found', `There is no device ${identity} of a connector ${connectorId}.`)
}
