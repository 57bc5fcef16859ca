import type { DeviceStatus, IdentityPart } from '../../api/devices.ts'

/** Something that an operator may do to an identity, and where it may be done. */
export type DeviceAction = {
  readonly name: string
  /** The meaning for the reader. */
  readonly meaning: string
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
    meaning: 'It may not connect from now on, whatever it shows.',
    in: ['whitelisted', 'provisioned', 'reprovision', 'expired', 'devmode'],
    part: { locked: true },
  },
  {
    name: 'Unlock',
    meaning: 'It may do again what it might before it was locked.',
    in: ['locked'],
    part: { locked: false },
  },
  {
    name: 'Unlock, re-provision',
    meaning: 'It may activate again: for firmware that dropped its credential when it was refused.',
    in: ['locked'],
    part: { locked: false, reprovision: true },
  },
  {
    name: 'Allow re-provisioning',
    meaning: 'Its credential ends now, and it may activate again.',
    in: ['provisioned', 'devmode'],
    part: { reprovision: true },
  },
  {
    name: 'Withdraw re-provisioning',
    meaning: 'Its old credential is good again.',
    in: ['reprovision'],
    part: { reprovision: false },
  },
  {
    name: 'Open another window',
    meaning: 'It may activate again, within the usual time from now.',
    in: ['expired'],
    part: {},
  },
]

export function actionsIn(status: DeviceStatus): readonly DeviceAction[] {
  return deviceActions.filter((action) => action.in.includes(status))
}
