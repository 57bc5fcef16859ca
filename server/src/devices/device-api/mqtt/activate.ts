import { decodeTextOrLatin1, Fault, limits } from '../../../foundation/kernel/index.ts'
import type { Connector, Device, Provisioning } from '../../provisioning/index.ts'
import type { DeviceConnection } from '../device-connection.ts'
import type { AnonymousPrincipal } from './authenticate.ts'
import type { Publication } from './publication.ts'
import { parseTopic, tokenTopic } from './topics.ts'

/** The answer to an activation. */
export type Activated = { readonly topic: string; readonly payload: string }

/**
 * Activates a device on an anonymous connection, which may do nothing else: it publishes to
 * `$provision/<identity>`, without a payload for a token, with the password for the password
 * method. The answer goes to the same topic: the token and nothing else, or an empty payload.
 * @throws Fault `forbidden` for any other topic, and the faults of an activation.
 */
export async function activate(
  provisioning: Provisioning,
  { connector }: AnonymousPrincipal,
  connection: DeviceConnection,
  publication: Publication,
): Promise<Activated> {
  const { identity, password } = parseActivation(connector, publication)
  if (publication.payload.length > limits.devicePasswordBytesMax) {
    throw new Fault('too_large', 'The password is too long.')
  }
  const { token } = await provisioning.activate(connector, identity, connection, { password })
  return { topic: tokenTopic(identity), payload: token }
}

/**
 * Gives a device a new credential while a rotation is open. It publishes in the same way, on a
 * connection that it made with its present credential.
 * @throws Fault `forbidden` if no rotation is open or for another identity, and the faults of a
 *   rotation.
 */
export async function renew(
  provisioning: Provisioning,
  device: Device,
  connection: DeviceConnection,
  publication: Publication,
): Promise<Activated> {
  const { identity, password } = parseActivation(device.connector, publication)
  const isOwn = identity === device.identity
  const renewed = isOwn ? await provisioning.renew(device, connection, password) : undefined
  if (renewed === undefined) {
    throw new Fault('forbidden', 'Only an anonymous connection may activate.')
  }
  return { topic: tokenTopic(identity), payload: renewed.token }
}

/** @throws Fault `malformed_request`, `forbidden`. */
function parseActivation({ resources }: Connector, { topic, payload, qos }: Publication) {
  if (qos > 1) throw new Fault('malformed_request', 'QoS 2 is not supported.')
  const target = parseTopic(topic, resources)
  if (target.kind !== 'provision') {
    throw new Fault('forbidden', 'An anonymous connection may only activate.')
  }
  const password = payload.length === 0 ? undefined : decodeTextOrLatin1(payload)
  return { identity: target.identity, password }
}
