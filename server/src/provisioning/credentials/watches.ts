import { setImmediate } from 'node:timers/promises'
import { type Fault, faultOf, type Logger, limits } from '../../kernel/index.ts'
import { proofOf } from './credential-proof.ts'
import type { Device } from './credentials.ts'

/**
 * Ends what a device has open, as soon as it may not go on.
 * @param judge asked when its connector's rules have changed; what it throws is its refusal.
 */
export type OnRevoked = (
  device: Device,
  listener: (fault: Fault) => void,
  judge: () => Promise<unknown>,
) => () => void

type Watch = {
  readonly listener: (fault: Fault) => void
  readonly judge: () => Promise<unknown>
  /** The hash of the credential with which it was opened, where that is known. */
  readonly proof: string | undefined
}

/** Who is to be told: all of an identity, but those that were opened with the spared credential. */
export type Refused = {
  readonly connectorId: string
  readonly identity: string
  readonly spares: string | null
}

/** What devices have open in this process. */
export type Watches = {
  /** @returns what ends the watch. */
  readonly onRevoked: OnRevoked
  refuse(refused: Refused, fault: Fault): void
  /** Asks of all that is open on a connector whether it may go on. */
  judge(connectorId: string): void
  /** Waits for those that are being judged. */
  close(): Promise<void>
}

export function createWatches(logger: Logger): Watches {
  /** By connector, and there by identity. */
  const watches = new Map<string, Map<string, Set<Watch>>>()
  const judging = new Set<Promise<void>>()
  return {
    onRevoked(device, listener, judge) {
      const { connector, identity } = device
      const byIdentity = watches.get(connector.id) ?? new Map<string, Set<Watch>>()
      const those = byIdentity.get(identity) ?? new Set()
      const watch = { listener, judge, proof: proofOf(device) }
      watches.set(connector.id, byIdentity.set(identity, those.add(watch)))
      return () => {
        those.delete(watch)
        if (those.size === 0 && byIdentity.get(identity) === those) byIdentity.delete(identity)
        if (byIdentity.size === 0 && watches.get(connector.id) === byIdentity) {
          watches.delete(connector.id)
        }
      }
    },
    refuse({ connectorId, identity, spares }, fault) {
      for (const { listener, proof } of [...(watches.get(connectorId)?.get(identity) ?? [])]) {
        if (spares === null || proof !== spares) listener(fault)
      }
    },
    judge(connectorId) {
      const all = [...(watches.get(connectorId)?.values() ?? [])].flatMap((those) => [...those])
      const judged: Promise<void> = judgeEach(all, logger).finally(() => judging.delete(judged))
      judging.add(judged)
    },
    async close() {
      await Promise.all(judging)
    },
  }
}

/** Some at a time, so that others are served meanwhile. */
async function judgeEach(watches: readonly Watch[], logger: Logger): Promise<void> {
  for (let at = 0; at < watches.length; at += limits.revocationBatchMax) {
    await Promise.all(
      watches.slice(at, at + limits.revocationBatchMax).map(async ({ listener, judge }) => {
        try {
          await judge()
        } catch (error) {
          const fault = faultOf(error)
          if (fault.status < 500) listener(fault)
          else logger.warn({ err: error }, 'whether a connection may go on could not be asked')
        }
      }),
    )
    await setImmediate()
  }
}
