import type { Transaction } from '../database/index.ts'
import { Fault, limits, newId } from '../kernel/index.ts'
import { checkedDevice, cut } from './check.ts'
import { groupOrRoot, requireGroup } from './groups.ts'
import type { Intakes } from './public.ts'
import { addAsset, assetOfDevice, dropIntake, intakeOf, keepIntake } from './store/assets.ts'
import type { Asset, AssetsOptions, DeviceRef } from './types.ts'

export function createIntake({ database }: AssetsOptions): Intakes {
  return {
    async set(businessId, connectorId, intake) {
      if (intake === null) {
        await dropIntake(database, businessId, connectorId)
        return
      }
      const groupId = intake.groupId ?? null
      if (groupId !== null) await requireGroup(database, businessId, groupId)
      if (!(await keepIntake(database, businessId, connectorId, groupId))) {
        throw new Fault('already_exists', 'another business has the intake of this connector')
      }
    },
    of: async (connectorId) => (await intakeOf(database, connectorId)) ?? null,
  }
}

/**
 * One asset a device: of two transactions that find none, one makes it, and the other waits for
 * its end and takes that one.
 */
export async function ensureDeviceAsset(
  options: AssetsOptions,
  transaction: Transaction,
  businessId: string,
  device: DeviceRef,
): Promise<{ asset: Asset; created: boolean }> {
  const known = await assetOfDevice(transaction, businessId, device)
  if (known !== undefined) return { asset: known, created: false }

  const asset = await newDeviceAsset(options, transaction, businessId, checkedDevice(device))
  if (await addAsset(transaction, asset, { byIntake: true })) return { asset, created: true }

  const theirs = await assetOfDevice(transaction, businessId, device)
  if (theirs === undefined) throw new Fault('internal', 'the asset of the device is gone again')
  return { asset: theirs, created: false }
}

async function newDeviceAsset(
  options: AssetsOptions,
  transaction: Transaction,
  businessId: string,
  device: DeviceRef,
): Promise<Asset> {
  const intake = await intakeOf(transaction, device.connectorId)
  const groupId = intake?.businessId === businessId ? intake.groupId : null
  const group = await groupOrRoot(options, transaction, businessId, groupId)
  return {
    id: newId(options.random),
    businessId,
    groupId: group.id,
    name: cut(device.identity, limits.nameCharsMax),
    description: '',
    device,
    createdAt: options.clock.nowUs(),
  }
}
