import { Fault } from '../kernel/index.ts'
import type { Admission, Known } from './admission.ts'
import type { Connectors } from './connectors.ts'
import type { Device } from './credentials.ts'
import { about } from './refusal.ts'

/**
 * Whether a device may go on with the connection on which it was let in, asked from memory.
 * @throws Fault `unknown_credential` where its credential is not the one of then any more,
 *   `locked`, `plain_connection`.
 */
export type Standing = () => Promise<void>

/** For connections that live long: their credential is proved once, and withdrawn at any time. */
export type OpenStanding = (
  device: Device,
  connection: { readonly encrypted: boolean },
) => Promise<Standing>

export function createStandings(
  connectors: Pick<Connectors, 'find'>,
  admission: Admission,
): OpenStanding {
  return async (device, { encrypted }) => {
    const { connector, identity } = device
    // What is kept in memory may be of the time before it was provisioned, a moment ago.
    const then = await admission.reread({ connectorId: connector.id, identity })
    return async () => {
      const now = await admission.byIdentity(connector.id, identity)
      const current = await connectors.find(connector.id)
      if (now === undefined || current === undefined || !isSame(now, then)) {
        throw about(new Fault('unknown_credential', 'The credential was withdrawn.'), device)
      }
      admission.admit(now, current, { encrypted })
    }
  }
}

function isSame(now: Known, then: Known | undefined): boolean {
  return now.passwordHash === then?.passwordHash && now.certificate === then.certificate
}
