import type { X509Certificate } from 'node:crypto'
import type { Connector } from './connectors/connector.ts'

/** An authenticated device. */
export type Device = {
  readonly connector: Connector
  readonly identity: string
  /** The hash of the credential that it used; undefined if it was just provisioned with it. */
  readonly credentialHash?: string
}

/** An open connection of a device. */
export type ConnectionInfo = {
  readonly ip: string
  /** As the log shows it: `http`, `https`, `mqtt`, … */
  readonly protocol: string
  readonly encrypted: boolean
  /** The peer's certificate of the TLS handshake, whoever signed it. */
  readonly certificate?: X509Certificate | undefined
}

/** A use of a credential. With an address the device counts as seen. */
export type CredentialUse = Pick<ConnectionInfo, 'encrypted'> &
  Partial<Pick<ConnectionInfo, 'ip' | 'protocol'>> & {
    /** True if it may provision the device, as its first request; see first-connect.ts. */
    readonly provisions?: boolean
  }

/** No field of the fault: the kernel knows no devices, and the fields of errors are logged. */
const devices = new WeakMap<object, Device>()

/** The same fault, with the device that it is about: for the operator's log, not for the answer. */
export function withDevice<Thrown extends object>(fault: Thrown, device: Device): Thrown {
  devices.set(fault, device)
  return fault
}

/** The device that a fault is about; undefined if no credential identified one. */
export function refusedDevice(thrown: unknown): Device | undefined {
  return typeof thrown === 'object' && thrown !== null ? devices.get(thrown) : undefined
}
