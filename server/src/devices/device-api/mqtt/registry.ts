import { Fault } from '../../../foundation/kernel/index.ts'
import type { Device } from '../../provisioning/index.ts'
import { deviceApiLimits } from '../limits.ts'

/** The part of a session that the registry uses. */
export type RegisteredSession = { close(reason: Fault): void }

/** The devices' sessions of this process. */
export type Registry = {
  /**
   * A device may have several connections. A connection with the client id of another one of the
   * same device replaces it, as MQTT has it; past `mqttClientsPerDeviceMax` the oldest goes.
   */
  add(session: RegisteredSession, device: Device, clientId: string): void
  /** @returns false if it was not there. */
  remove(session: RegisteredSession): boolean
}

export function createRegistry(): Registry {
  const devices = new Map<string, Map<RegisteredSession, string>>()
  const keys = new Map<RegisteredSession, string>()
  return {
    add(session, { connector, identity }, clientId) {
      const key = `${connector.id}/${identity}`
      const those = devices.get(key) ?? new Map<RegisteredSession, string>()
      const replaced = [...those].filter(([, id]) => clientId !== '' && id === clientId)
      const [oldest] = those.keys()
      devices.set(key, those.set(session, clientId))
      keys.set(session, key)
      for (const [other] of replaced) {
        other.close(new Fault('already_exists', 'Another connection took its client id.'))
      }
      if (replaced.length === 0 && those.size > deviceApiLimits.mqttClientsPerDeviceMax) {
        oldest?.close(new Fault('overloaded', 'The device has too many connections.'))
      }
    },
    remove(session) {
      const key = keys.get(session)
      if (key === undefined) return false
      keys.delete(session)
      const those = devices.get(key)
      those?.delete(session)
      if (those?.size === 0) devices.delete(key)
      return true
    },
  }
}
