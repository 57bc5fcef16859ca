import { setImmediate } from 'node:timers/promises'
import { type Fault, type Logger, toFault } from '../../../foundation/kernel/index.ts'
import type { Device } from '../device.ts'
import { provisioningLimits } from '../limits.ts'

/**
 * Calls the listener with the refusal as soon as a device's open connection may not go on.
 * @param recheck called when the connector's rules have changed; throws the refusal.
 * @returns a function that removes the listener.
 */
export type OnRevoked = (
  device: Device,
  listener: (fault: Fault) => void,
  recheck: () => Promise<unknown>,
) => () => void

type RevocationListener = {
  readonly listener: (fault: Fault) => void
  readonly recheck: () => Promise<unknown>
  /** The hash of the credential with which the connection was opened, if it is known. */
  readonly credentialHash: string | undefined
}

/** An identity whose connections end, but for those opened with the spared credential. */
export type RevokedIdentity = {
  readonly connectorId: string
  readonly identity: string
  readonly spares: string | null
}

/** The open connections and long polls of devices in this process. */
export type RevocationListeners = {
  readonly onRevoked: OnRevoked
  refuse(refused: RevokedIdentity, fault: Fault): void
  /** Checks again whether each open connection of a connector may go on. */
  recheck(connectorId: string): void
  /** Waits for the checks under way. */
  close(): Promise<void>
}

export function createRevocationListeners(logger: Logger): RevocationListeners {
  /** By connector, and there by identity. */
  const listeners = new Map<string, Map<string, Set<RevocationListener>>>()
  const checking = new Set<Promise<void>>()
  return {
    onRevoked(device, listener, recheck) {
      const { connector, identity } = device
      const byIdentity = listeners.get(connector.id) ?? new Map<string, Set<RevocationListener>>()
      const those = byIdentity.get(identity) ?? new Set()
      const entry = { listener, recheck, credentialHash: device.credentialHash }
      listeners.set(connector.id, byIdentity.set(identity, those.add(entry)))
      return () => {
        those.delete(entry)
        if (those.size === 0 && byIdentity.get(identity) === those) byIdentity.delete(identity)
        if (byIdentity.size === 0 && listeners.get(connector.id) === byIdentity) {
          listeners.delete(connector.id)
        }
      }
    },
    refuse({ connectorId, identity, spares }, fault) {
      for (const { listener, credentialHash } of [
        ...(listeners.get(connectorId)?.get(identity) ?? []),
      ]) {
        if (spares === null || credentialHash !== spares) listener(fault)
      }
    },
    recheck(connectorId) {
      const all = [...(listeners.get(connectorId)?.values() ?? [])].flatMap((those) => [...those])
      const checked: Promise<void> = recheckEach(all, logger).finally(() =>
        checking.delete(checked),
      )
      checking.add(checked)
    },
    async close() {
      await Promise.all(checking)
    },
  }
}

/** Checks some at a time, so that the process serves other requests between. */
async function recheckEach(
  listeners: readonly RevocationListener[],
  logger: Logger,
): Promise<void> {
  for (let at = 0; at < listeners.length; at += provisioningLimits.revocationBatchMax) {
    await Promise.all(
      listeners
        .slice(at, at + provisioningLimits.revocationBatchMax)
        .map(async ({ listener, recheck }) => {
          try {
            await recheck()
          } catch (error) {
            const fault = toFault(error)
            if (fault.status < 500) listener(fault)
            else logger.warn({ err: error }, 'connection check failed')
          }
        }),
    )
    await setImmediate()
  }
}
