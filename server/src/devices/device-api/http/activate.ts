import { Fault } from '../../../foundation/kernel/index.ts'
import type { Connector, Provisioning } from '../../provisioning/index.ts'
import type { FormPair } from './form.ts'

/** The body of an activation: the identity, and in the older form its connector. */
export type ActivationRequest = {
  readonly identity: string
  readonly connectorId: string | undefined
  /** The password that will authenticate the device; undefined if it requests a token. */
  readonly password: string | undefined
}

/**
 * Reads `id=<identity>`, or `vendor=<connector>&model=<connector>&sn=<identity>`; in both forms
 * `password=<password>` may follow. An empty password is none.
 */
export function parseActivation(pairs: readonly FormPair[]): ActivationRequest {
  const value = (name: string) => pairs.find(({ key }) => key === name)?.value
  const identity = value('id') ?? value('sn')
  if (identity === undefined || identity === '') {
    throw new Fault('malformed_request', 'The body names no identity: id=<identity>.')
  }
  const password = value('password') || undefined
  return { identity, connectorId: value('vendor') ?? value('model'), password }
}

/**
 * The connector that an activation means: by the host that was called, else by the body, since
 * some firmware calls a fixed legacy host.
 * @throws Fault `unknown_identity` where neither is a connector.
 */
export async function findConnector(
  provisioning: Provisioning,
  hostLabel: string,
  activation: ActivationRequest,
): Promise<Connector> {
  for (const id of [hostLabel, activation.connectorId]) {
    if (id === undefined || id === '') continue
    const connector = await provisioning.connectors.find(id)
    if (connector !== undefined) return connector
  }
  throw new Fault('unknown_identity', 'Neither the host nor the body names a connector.')
}
