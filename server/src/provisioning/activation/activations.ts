import type { Fault } from '../../kernel/index.ts'
import type { ProvisioningOptions } from '../needs.ts'
import type { Presence } from '../presence.ts'
import type { Activation } from './activation.ts'
import { ActivationBatcher } from './activation-batcher.ts'
import { provisionAll, provisionHeld } from './batch.ts'
import { explain } from './explain.ts'
import { createRegistrations } from './registrations.ts'

export type Activations = {
  /**
   * Makes an identity `provisioned` with a credential, once. The credential, its initial values
   * and the entry in the log are committed together; of many at once exactly one succeeds.
   * @throws Fault `invalid_argument`, `unknown_identity`, `window_closed`, `already_activated`,
   *   `locked`, `wrong_method`, `connector_full`, `too_many_requests` (strangers from one address),
   *   `overloaded`, `log_unavailable` (the database is away).
   */
  provision(activation: Activation): Promise<void>
  /** The refusal that a device would get now; undefined where it would be provisioned. */
  foresee(activation: Omit<Activation, 'brought'>): Promise<Fault | undefined>
  /** Waits for what is under way. */
  close(): Promise<void>
}

/** One lane for all: the more activations share a transaction, the less each of them costs. */
export function createActivations(options: ProvisioningOptions, presence: Presence): Activations {
  const registrations = createRegistrations(options)
  const needs = { ...options, registrations }
  const lane = new ActivationBatcher({
    all: (batch) => provisionAll(needs, batch),
    held: (activation) => provisionHeld(needs, activation),
  })
  return {
    async provision(activation) {
      await lane.provision(activation)
      const { connector, identity, origin } = activation
      presence.seen(connector.id, identity, origin.ip)
    },
    async foresee({ connector, identity, origin }) {
      const asking = { connector, identity, origin, brought: { certificate: null } }
      const [refusal] = await explain(options.database, options.clock.nowUs(), [asking])
      return refusal ?? registrations.foresee(asking)
    },
    close: () => lane.close(),
  }
}
