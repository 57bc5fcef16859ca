import { Fault, invalidField } from '../../kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import { allowsAddress } from '../connectors/ip-restriction.ts'
import { refuseIdentity } from '../identities/identity-format.ts'
import type { Credential } from '../store/activations.ts'

/** Where a request to be provisioned comes from. */
export type Origin = {
  readonly ip: string
  /** As the log shows it: `http`, `https`, `mqtt`, … */
  readonly protocol: string
  readonly encrypted: boolean
}

/** What a device brings: without `plain`, which is the connection's. */
export type NewCredential = Omit<Credential, 'plain'>

/**
 * The settings that hold for every method.
 * @throws Fault `plain_connection`, `forbidden`, `address_not_allowed`.
 */
export function refuseOrigin(connector: Connector, origin: Origin): void {
  if (!origin.encrypted && !connector.devmode) throw new Fault('plain_connection')
  if (!connector.enabled) throw new Fault('forbidden', 'the connector activates no devices now')
  if (!allowsAddress(connector.ipRestriction, origin.ip)) {
    const from = origin.ip || 'an unknown address'
    throw new Fault('address_not_allowed', `The connector provisions no devices from ${from}.`)
  }
}

/** @throws Fault `invalid_argument` for what can be no identity. */
export function refuseName(identity: string): void {
  const refusal = refuseIdentity(identity)
  if (refusal !== undefined) throw invalidField('identity', refusal)
}
