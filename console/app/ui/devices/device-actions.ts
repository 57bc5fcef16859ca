import type { DeviceStatus, IdentityPart } from '../../api/devices.ts'

/** Something that an operator may do to an identity, and where it may be done. */
export type DeviceAction = {
  readonly name: string
  readonly in: readonly DeviceStatus[]
  readonly part: IdentityPart
}

/**
 * An identity that is locked keeps what it was: unlocking shows it again. A window that is not
 * named opens anew, for the usual time, only if it had closed.
 */
export const deviceActions: readonly DeviceAction[] = [
  {
    name: 'Lock',
    in: ['whitelisted', 'provisioned', 'reprovision', 'expired', 'devmode'],
    part: { locked: true },
  },
  {
    name: 'Unlock',
    in: ['locked'],
    part: { locked: false },
  },
  {
    name: 'Unlock, re-provision',
    in: ['locked'],
    part: { locked: false, reprovision: true },
  },
  {
    name: 'Allow re-provisioning',
    in: ['provisioned', 'devmode'],
    part: { reprovision: true },
  },
  {
    name: 'Withdraw re-provisioning',
    in: ['reprovision'],
    part: { reprovision: false },
  },
  {
    name: 'Open another window',
    in: ['expired'],
    part: {},
  },
]

export function actionsIn(status: DeviceStatus): readonly DeviceAction[] {
  return deviceActions.filter((action) => action.in.includes(status))
}
