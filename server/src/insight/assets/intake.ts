import type { Transaction } from '../../foundation/database/index.ts'
import { cut, Fault, limits, newUuid } from '../../foundation/kernel/index.ts'
import { checkedDevice } from './check.ts'
import type { AssetsOptions } from './options.ts'
import type { Intakes } from './public.ts'
import { countChange } from './publish-change.ts'
import {
  addIntakeAssets,
  assetsOfDevices,
  dropIntake,
  type IntakeAsset,
  keepIntake,
  readIntakes,
} from './store/assets.ts'
import { deviceKey } from './store/channels.ts'
import type { Asset, OwnedDevice } from './types.ts'

export function createIntake({ database, groups, changes }: AssetsOptions): Intakes {
  return {
    set: changes.publishing('connectors', async (view, connectorId, intake) => {
      const { businessId } = view
      if (intake === null) {
        await dropIntake(database, businessId, connectorId)
        return
      }
      const groupId = intake.groupId ?? null
      if (groupId !== null) await groups.get(view, groupId)
      if (!(await keepIntake(database, businessId, connectorId, groupId))) {
        throw new Fault('already_exists', 'another business has the intake of this connector')
      }
    }),
    of: (connectorIds) => readIntakes(database, connectorIds),
  }
}

/**
 * A device has one asset: of two transactions that find none, one makes it, and the other waits for
 * its end and takes that one.
 */
export async function ensureDeviceAssets(
  options: AssetsOptions,
  transaction: Transaction,
  devices: readonly OwnedDevice[],
): Promise<{ asset: Asset; created: boolean }[]> {
  const assets = await assetsOfDevices(transaction, devices)
  const missing = devices.filter((device) => !assets.has(intakeKey(device)))
  const fresh = await newDeviceAssets(options, transaction, missing)
  const added = await addIntakeAssets(transaction, fresh)
  const lost: OwnedDevice[] = []
  for (const asset of fresh) {
    const owned = { businessId: asset.businessId, ...asset.device }
    if (added.has(asset.id)) assets.set(intakeKey(owned), asset)
    else lost.push(owned)
  }
  for (const [key, theirs] of await assetsOfDevices(transaction, lost)) assets.set(key, theirs)
  await countChange(options, transaction, fresh.filter(({ id }) => added.has(id)).map(toRef))
  return devices.map((device) => {
    const asset = assets.get(intakeKey(device))
    if (asset === undefined) throw new Fault('internal', 'the asset of the device is gone again')
    return { asset, created: added.has(asset.id) }
  })
}

function intakeKey(device: OwnedDevice): string {
  return deviceKey(device.businessId, device)
}

function toRef({ businessId, id: assetId }: Asset) {
  return { businessId, assetId }
}

/** An asset for each of these devices, each once, in the group of its connector's intake. */
async function newDeviceAssets(
  options: AssetsOptions,
  transaction: Transaction,
  given: readonly OwnedDevice[],
): Promise<IntakeAsset[]> {
  const devices = [...new Map(given.map((device) => [intakeKey(device), device])).values()]
  const connectorIds = devices.map(({ connectorId }) => connectorId)
  const intakes = await readIntakes(transaction, connectorIds)
  const places = devices.map(({ businessId, connectorId }) => {
    const intake = intakes.get(connectorId)
    return { businessId, groupId: intake?.businessId === businessId ? intake.groupId : null }
  })
  const groupIds = await options.groups.idsAt(transaction, places)
  return devices.map(({ businessId, ...device }, at) => ({
    id: newUuid(options.random, options.clock.nowMs()),
    businessId,
    groupId: groupIds[at] ?? '',
    name: cut(device.identity, limits.nameCharsMax),
    description: '',
    device: checkedDevice(device),
    meta: {},
    assetType: null,
    location: null,
    locked: false,
    templateId: null,
    createdAt: options.clock.nowUs(),
  }))
}
