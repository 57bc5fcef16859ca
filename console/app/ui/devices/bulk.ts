import type { Client } from '../../api/client.ts'
import { type Device, putDevice, removeDevice } from '../../api/devices.ts'
import { actionsIn } from './device-actions.ts'

/** What can be done to many devices at once. */
export const bulkActions = ['lock', 'unlock', 'reprovision', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]

/** How far a change of many devices is. */
export type BulkProgress = {
  readonly changed: number
  /** Devices whose status does not allow it. */
  readonly skipped: number
  readonly failed: readonly { readonly identity: string; readonly reason: string }[]
}

export const nothingYet: BulkProgress = { changed: 0, skipped: 0, failed: [] }

const atOnce = 6
/** So many refusals are shown. */
const failedMax = 100

/** Whether an action changes a device in its status. */
export function isAllowed(action: BulkAction, { status }: Device): boolean {
  if (action === 'delete') return true
  if (action === 'unlock') return status === 'locked'
  if (action === 'lock') return status !== 'locked'
  return actionsIn(status).some(({ part }) => part.reprovision === true && part.locked !== false)
}

/** Changes one device after the other, a few at once; a refusal does not end it. */
export async function changeMany(
  client: Client,
  connector: string,
  action: BulkAction,
  devices: AsyncIterable<Device> | Iterable<Device>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: BulkProgress) => void },
): Promise<void> {
  let progress = nothingYet
  const add = (part: Partial<BulkProgress>) => {
    progress = { ...progress, ...part }
    onProgress(progress)
  }
  const change = async (device: Device) => {
    try {
      await changeOne(client, connector, action, device.identity)
      add({ changed: progress.changed + 1 })
    } catch (error) {
      const { identity } = device
      const failed = [...progress.failed, { identity, reason: (error as Error).message }]
      add({ failed: failed.slice(-failedMax) })
    }
  }
  const running = new Set<Promise<void>>()
  for await (const device of devices) {
    if (signal.aborted) break
    if (!isAllowed(action, device)) {
      add({ skipped: progress.skipped + 1 })
      continue
    }
    const work = change(device).finally(() => running.delete(work))
    running.add(work)
    if (running.size >= atOnce) await Promise.race(running)
  }
  await Promise.all(running)
}

async function changeOne(
  client: Client,
  connector: string,
  action: BulkAction,
  identity: string,
): Promise<void> {
  if (action === 'delete') return removeDevice(client, connector, identity)
  const part = action === 'reprovision' ? { reprovision: true } : { locked: action === 'lock' }
  await putDevice(client, connector, identity, part)
}
