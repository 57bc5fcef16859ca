import type { Connector } from '../connectors/connector.ts'
import type { ConnectionInfo } from '../device.ts'
import { checkIdentity } from '../identities/identity-format.ts'
import type { ProvisionStep } from '../store/activations.ts'
import type { NewCredential } from './provision.ts'

/** A request to provision an identity with a credential. */
export type Activation = {
  readonly connector: Connector
  readonly identity: string
  readonly connection: ConnectionInfo
  readonly credential: NewCredential
  /** Set once its self-registration is counted: an activation may be tried several times. */
  isCounted?: true
}

export function makeStep(
  { connector, identity, connection, credential }: Activation,
  mayRegister: boolean,
): ProvisionStep {
  return {
    connectorId: connector.id,
    identity,
    credential: { ...credential, plain: !connection.encrypted },
    registers: mayRegister,
    ip: connection.ip,
  }
}

/**
 * Returns true if an unregistered device may register itself: the connector allows it and the
 * identity has its format. A whitelisted identity was checked when it was whitelisted.
 */
export function registers(
  { selfRegistration, identityFormat }: Connector,
  identity: string,
): boolean {
  return selfRegistration && checkIdentity(identityFormat, identity) === undefined
}

/** Returns a unique key of a device; a connector's id holds no slash. */
export function deviceKey({
  connector,
  identity,
}: Pick<Activation, 'connector' | 'identity'>): string {
  return `${connector.id}/${identity}`
}
