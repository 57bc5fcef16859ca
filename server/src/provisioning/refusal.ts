import type { Device } from './credentials/credentials.ts'

const devices = new WeakMap<object, Device>()

/** The same fault, with the device that it is about: for its operator's eyes, not for a door's. */
export function about<Thrown extends object>(fault: Thrown, device: Device): Thrown {
  devices.set(fault, device)
  return fault
}

/** The device that was refused, where the fault is about one whose credential was known. */
export function refusedDevice(thrown: unknown): Device | undefined {
  return typeof thrown === 'object' && thrown !== null ? devices.get(thrown) : undefined
}
