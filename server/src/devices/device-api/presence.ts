import type { Clock, Logger } from '../../foundation/kernel/index.ts'
import type { EventLog, PresenceBody } from '../../log/eventlog/index.ts'
import type { Device } from '../provisioning/index.ts'

/** Returns true if a script subscribes to connects of the connector's devices; cached, mostly. */
export type PresenceWanted = (connectorId: string) => boolean | Promise<boolean>

/**
 * Appends connects and disconnects of devices to the log, if a script subscribes to them. It is
 * best effort: a device's write never fails for it, and a killed process appends no disconnects.
 */
export type Presence = {
  /**
   * Resolves when the entry has its place in the log, before the device's next one; undefined if no
   * script subscribes.
   */
  publish(
    kind: 'connected' | 'disconnected',
    device: Device,
    body: PresenceBody,
  ): Promise<void> | undefined
}

export type PresenceOptions = {
  readonly eventlog: Pick<EventLog, 'append'>
  readonly clock: Clock
  readonly logger: Logger
  /** Left out: no script subscribes. */
  readonly presenceWanted?: PresenceWanted | undefined
}

export function createPresence(options: PresenceOptions): Presence {
  const { eventlog, clock, logger, presenceWanted = () => false } = options

  function failed(error: unknown): void {
    logger.warn({ err: error }, 'connect or disconnect not published to scripts')
  }

  function append(kind: 'connected' | 'disconnected', device: Device, body: PresenceBody): void {
    const { connector, identity } = device
    const { businessId, id: connectorId } = connector
    eventlog
      .append({ businessId, connectorId, identity, kind, at: clock.nowUs(), body })
      .catch(failed)
  }

  return {
    publish(kind, device, body) {
      const wanted = presenceWanted(device.connector.id)
      if (wanted === false) return undefined
      return Promise.resolve(wanted).then((wants) => {
        if (wants) append(kind, device, body)
      }, failed)
    },
  }
}
