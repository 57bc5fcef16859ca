import type { Connector } from '../connectors/connector.ts'
import type { ConnectionInfo } from '../device.ts'
import { checkIdentity } from '../identities/identity-format.ts'
import type { ProvisionStep } from '../store/activations.ts'
import type { NewCredential } from './provision.ts'

/** Who asks to be provisioned, where, from where, and with what. */
export type Activation = {
  readonly connector: Connector
  readonly identity: string
  readonly connection: ConnectionInfo
  readonly credential: NewCredential
}

export function stepOf(
  { connector, identity, connection, credential }: Activation,
  mayRegister: boolean,
): ProvisionStep {
  return {
    connectorId: connector.id,
    identity,
    credential: { ...credential, plain: !connection.encrypted },
    registers: mayRegister,
  }
}

/**
 * A stranger may come in where the connector lets devices register themselves and the identity
 * conforms; one that was whitelisted was measured then.
 */
export function registers(
  { selfRegistration, identityFormat }: Connector,
  identity: string,
): boolean {
  return selfRegistration && checkIdentity(identityFormat, identity) === undefined
}

/** Two devices never share one; a connector's id holds no slash. */
export function keyOf({ connector, identity }: Pick<Activation, 'connector' | 'identity'>): string {
  return `${connector.id}/${identity}`
}
