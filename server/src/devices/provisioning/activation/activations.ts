import type { Fault } from '../../../foundation/kernel/index.ts'
import type { ProvisioningOptions } from '../options.ts'
import type { Sightings } from '../sightings.ts'
import type { Activation } from './activation.ts'
import { ActivationBatcher } from './activation-batcher.ts'
import { provisionAll, provisionLocked } from './batch.ts'
import { explain } from './explain.ts'
import { createRegistrations } from './registrations.ts'

export type Activations = {
  /**
   * Makes an identity `provisioned` with a credential, once. The credential, its initial values and
   * the entry in the log are committed together; of many at once exactly one succeeds.
   * @throws Fault `invalid_argument`, `unknown_identity`, `window_closed`, `already_activated`,
   *   `locked`, `wrong_method`, `connector_full`, `too_many_requests` (self-registrations from one
   *   address), `overloaded`, `log_unavailable` (the database is unavailable).
   */
  provision(activation: Activation): Promise<void>
  /** Returns the refusal that a device would get now; undefined if it would be provisioned. */
  preview(activation: Omit<Activation, 'credential'>): Promise<Fault | undefined>
  /** Waits for the activations under way. */
  close(): Promise<void>
}

/**
 * All activations share a batcher: the more of them share a transaction, the less each one costs.
 */
export function createActivations(options: ProvisioningOptions, sightings: Sightings): Activations {
  const registrations = createRegistrations(options)
  const needs = { ...options, registrations }
  const batcher = new ActivationBatcher({
    all: (batch) => provisionAll(needs, batch),
    locked: (activation) => provisionLocked(needs, activation),
  })
  return {
    async provision(activation) {
      await batcher.provision(activation)
      const { connector, identity, connection } = activation
      sightings.seen(connector, identity, connection.ip)
    },
    async preview({ connector, identity, connection }) {
      const asking = { connector, identity, connection }
      const [refusal] = await explain(options.database, options.clock.nowUs(), [asking])
      return refusal ?? registrations.preview(asking)
    },
    close: () => batcher.close(),
  }
}
