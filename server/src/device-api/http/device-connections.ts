import type { Socket } from 'node:net'
import { limits, newId, type Random } from '../../kernel/index.ts'
import type { Device } from '../../provisioning/index.ts'
import type { Presence } from '../presence.ts'
import { type DeviceRequest, logFieldsOf } from './request.ts'

/** The sockets of devices; a device connects with its first request on a socket. */
export type DeviceConnections = {
  /**
   * Resolves when the connect precedes the request in the log; undefined if no script subscribes.
   */
  authenticated(request: DeviceRequest, device: Device): Promise<void> | undefined
  /** The connection's id; empty before a device authenticated on it. */
  idOf(request: DeviceRequest): string
}

export type DeviceConnectionsDeps = {
  readonly presence: Presence
  readonly random: Random
  /** For the connector's log. */
  readonly note: (what: 'connect' | 'disconnect', request: DeviceRequest, device: Device) => void
}

type Connection = { readonly id: string; readonly devices: Map<string, Device> }

export function createDeviceConnections({
  presence,
  random,
  note,
}: DeviceConnectionsDeps): DeviceConnections {
  const sockets = new WeakMap<Socket, Connection>()

  function open(request: DeviceRequest): Connection {
    const connection: Connection = { id: newId(random), devices: new Map() }
    const { socket } = request.message
    sockets.set(socket, connection)
    socket.once('close', () => {
      for (const device of connection.devices.values()) {
        note('disconnect', request, device)
        presence.publish('disconnected', device, bodyOf(request, connection))
      }
    })
    return connection
  }

  return {
    authenticated(request, device) {
      const connection = sockets.get(request.message.socket) ?? open(request)
      const { devices } = connection
      const key = `${device.connector.id}/${device.identity}`
      if (devices.has(key) || devices.size >= limits.devicesPerSocketMax) return undefined
      devices.set(key, device)
      note('connect', request, device)
      return presence.publish('connected', device, bodyOf(request, connection))
    },
    idOf: ({ message }) => sockets.get(message.socket)?.id ?? '',
  }
}

function bodyOf(request: DeviceRequest, { id }: Connection) {
  return { ...logFieldsOf(request), connection: id }
}
