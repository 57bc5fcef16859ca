import type { Client } from '../../api/client.ts'
import { changeDevices, type Device, type DeviceSelection } from '../../api/devices.ts'
import { actionsIn } from './device-actions.ts'

/** The actions on many devices at once. */
export const bulkActions = ['lock', 'unlock', 'reprovision', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]

/** The progress of a change of many devices. */
export type BulkProgress = {
  readonly changed: number
  /** Devices whose status does not allow it. */
  readonly skipped: number
  readonly failed: readonly { readonly identity: string; readonly reason: string }[]
}

export const nothingYet: BulkProgress = { changed: 0, skipped: 0, failed: [] }

/** So many refusals are shown. */
const failedMax = 100

/**
 * Returns whether an action changes a device in its status: for a preview, since the server
 * decides.
 */
export function isAllowed(action: BulkAction, { status }: Device): boolean {
  if (action === 'delete') return true
  if (action === 'unlock') return status === 'locked'
  if (action === 'lock') return status !== 'locked'
  return actionsIn(status).some(({ part }) => part.reprovision === true && part.locked !== false)
}

/**
 * Changes the devices that are selected, page after page in the order of their names, so that none
 * is missed that writes meanwhile. A stop takes effect after the page that is under way.
 * @throws ApiError of a page that was refused or lost; those before it are changed.
 */
export async function changeMany(
  client: Client,
  connector: string,
  action: BulkAction,
  which: DeviceSelection,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: BulkProgress) => void },
): Promise<void> {
  let progress = nothingYet
  let after: string | undefined
  do {
    const page = await changeDevices(client, connector, action, which, after)
    const refused = page.failed.map(({ identity, message }) => ({ identity, reason: message }))
    progress = {
      changed: progress.changed + page.changed,
      skipped: progress.skipped + page.skipped,
      failed: [...progress.failed, ...refused].slice(-failedMax),
    }
    onProgress(progress)
    after = page.next
  } while (after !== undefined && !signal.aborted)
}
