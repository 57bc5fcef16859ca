import type { EventLog, PresenceBody } from '../eventlog/index.ts'
import type { Clock, Logger } from '../kernel/index.ts'
import type { Device } from '../provisioning/index.ts'

/** Whether anybody wants to know when devices of the connector connect; from memory, mostly. */
export type PresenceWanted = (connectorId: string) => boolean | Promise<boolean>

/**
 * Says in the log when devices connect and disconnect, where somebody wants to know. It is best
 * effort: a device's write never fails for it, and a process that is killed says nothing more.
 */
export type Presence = {
  /**
   * Undefined where nobody wants to know, else resolves when it has its place in the log: what the
   * device says then comes behind it.
   */
  publish(
    kind: 'connected' | 'disconnected',
    device: Device,
    body: PresenceBody,
  ): Promise<void> | undefined
}

export type PresenceDeps = {
  readonly eventlog: Pick<EventLog, 'append'>
  readonly clock: Clock
  readonly logger: Logger
  /** Nobody does where it is left out. */
  readonly presenceWanted?: PresenceWanted | undefined
}

export function createPresence(needs: PresenceDeps): Presence {
  const { eventlog, clock, logger, presenceWanted = () => false } = needs

  function failed(error: unknown): void {
    logger.warn({ err: error }, 'a connect or disconnect was not told to scripts')
  }

  function append(kind: 'connected' | 'disconnected', device: Device, body: PresenceBody): void {
    const { connector, identity } = device
    const { businessId, id: connectorId } = connector
    eventlog
      .append({
        ...{ businessId, connectorId, identity, kind, at: clock.nowUs() },
        body: JSON.stringify(body),
      })
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
