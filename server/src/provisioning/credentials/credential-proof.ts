import type { Device } from './credentials.ts'

const hashes = new WeakMap<Device, string>()

/** The same device, with the hash of the credential that proved it. */
export function provenBy(device: Device, secretHash: string): Device {
  hashes.set(device, secretHash)
  return device
}

/** With what a device proved itself; undefined where it was just provisioned with it. */
export function proofOf(device: Device): string | undefined {
  return hashes.get(device)
}
