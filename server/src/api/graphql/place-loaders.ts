import type { Provisioning, State } from '../../devices/provisioning/index.ts'
import { type DeviceRecord, deviceId, deviceOfId } from '../../devices/provisioning/index.ts'
import type { Accounts, ListedRole, Principal, User } from '../../people/accounts/index.ts'
import type { Groups } from '../../people/groups/index.ts'
import type { Work } from './limits/work.ts'
import { type Loader, loader, type Page } from './loader.ts'

/** The modules of which these loaders read. */
export type PlaceOptions = {
  readonly accounts: Accounts
  readonly groups: Groups
  readonly provisioning: Pick<Provisioning, 'devices' | 'connectors'>
}

/**
 * Loaders of things in groups beside assets: one statement for all groups at one place of the
 * document.
 */
export type PlaceLoaders = ReturnType<typeof createPlaceLoaders>

type DeviceName = Pick<DeviceRecord, 'connectorId' | 'identity'>

export function createPlaceLoaders(
  { accounts, provisioning: { devices } }: PlaceOptions,
  principal: Principal,
  work: Work,
) {
  const { view } = principal
  const counts = loader(work, 0, (ids) => devices.countIn(view, ids))
  const pages = new Map<string, Loader<readonly DeviceRecord[]>>()
  const users = loader<readonly User[]>(work, [], (ids) => accounts.usersIn(principal, ids))
  const userCounts = loader(work, 0, (ids) => accounts.countUsersIn(principal, ids))
  const states = loader<State>(work, {}, (ids) =>
    devices.states(
      view,
      ids.flatMap((id) => deviceOfId(id) ?? []),
    ),
  )
  let roles: Promise<readonly ListedRole[]> | undefined

  return {
    groupDeviceCount: (id: string) => counts.load(id),
    groupDevices(id: string, page: Page): Promise<readonly DeviceRecord[]> {
      const key = `${page.limit}/${page.offset}`
      const known = pages.get(key)
      const own =
        known ??
        loader<readonly DeviceRecord[]>(work, [], (ids) => devices.inGroups(view, ids, page))
      if (known === undefined) pages.set(key, own)
      return own.load(id)
    },
    groupUserCount: (id: string) => userCounts.load(id),
    groupUsers: (id: string) => users.load(id),
    /** The values of a device. */
    deviceState: (device: DeviceName) => states.load(deviceId(device)),
    async role(name: string) {
      roles ??= accounts.listRoles(view.businessId)
      const found = (await roles).find((role) => role.name === name)
      return found && shownRole(found)
    },
  }
}

/** A role as GraphQL has it. */
export function shownRole({ name, permissions, rateLimits }: ListedRole) {
  return { name, permissions: [...permissions], rateLimits: shownRates(rateLimits) }
}

export function shownRates({ requests, timeMs: time }: ListedRole['rateLimits']) {
  return { requests, time }
}
