import type { Queryable } from '../../../foundation/database/index.ts'
import { Fault, invalidField } from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import { checkIdentity } from '../identities/identity-format.ts'
import { unknownIdentity } from '../identities/records.ts'
import { type Readiness, readReadiness } from '../store/activations.ts'
import { type Activation, deviceKey } from './activation.ts'

/** An identity to be provisioned, and its new credential, if it is known already. */
type ActivationQuery = Pick<Activation, 'connector' | 'identity' | 'connection'> &
  Partial<Pick<Activation, 'credential'>>

/** Returns why each identity cannot be provisioned; undefined if it can. */
export async function explain(
  database: Queryable,
  nowUs: number,
  asking: readonly ActivationQuery[],
): Promise<(Fault | undefined)[]> {
  if (asking.length === 0) return []
  const names = asking.map(({ connector, identity, connection: { ip } }) => {
    return { connectorId: connector.id, identity, ip }
  })
  const found = new Map(
    (await readReadiness(database, nowUs, names)).map((one) => [
      `${one.connectorId}/${one.identity}`,
      one,
    ]),
  )
  return asking.map((one) => findRefusal(one, found.get(deviceKey(one))))
}

function findRefusal(
  { connector, identity, credential }: ActivationQuery,
  ready: Readiness | undefined,
): Fault | undefined {
  switch (ready?.status) {
    case undefined:
      return refusalOfUnregistered(connector, identity)
    case 'locked':
      return new Fault('locked')
    case 'expired':
      return new Fault('window_closed')
    case 'provisioned':
    case 'devmode':
      return ready.mayRetry && credential?.authType === 'token'
        ? undefined
        : new Fault('already_activated')
    case 'whitelisted':
    case 'reprovision':
      return ready.certificateGiven === null || ready.certificateGiven === credential?.hash
        ? undefined
        : new Fault('wrong_method', 'The identity is provisioned by the certificate it was given.')
  }
}

function refusalOfUnregistered(connector: Connector, identity: string): Fault | undefined {
  if (!connector.selfRegistration) return unknownIdentity()
  const refusal = checkIdentity(connector.identityFormat, identity)
  return refusal === undefined ? undefined : invalidField('identity', refusal)
}
