import type { ProvisioningOptions } from '../needs.ts'
import type { Presence } from '../presence.ts'
import type { Activation } from './activation.ts'
import { provisionAll, provisionHeld } from './batch.ts'
import { Lane } from './lane.ts'

export type Activations = {
  /**
   * Makes an identity `provisioned` with a credential, once. The credential, its initial values
   * and the entry in the log are committed together; of many at once exactly one succeeds.
   * @throws Fault `invalid_argument`, `unknown_identity`, `window_closed`, `already_activated`,
   *   `locked`, `wrong_method`, `overloaded`, `log_unavailable` (the database is away).
   */
  provision(activation: Activation): Promise<void>
  /** Waits for what is under way. */
  close(): Promise<void>
}

/** One lane for all: the more activations share a transaction, the less each of them costs. */
export function createActivations(options: ProvisioningOptions, presence: Presence): Activations {
  const lane = new Lane({
    all: (batch) => provisionAll(options, batch),
    held: (activation) => provisionHeld(options, activation),
  })
  return {
    async provision(activation) {
      await lane.provision(activation)
      const { connector, identity, origin } = activation
      presence.seen(connector.id, identity, origin.ip)
    },
    close: () => lane.close(),
  }
}
