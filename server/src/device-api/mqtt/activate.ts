import { Fault, limits } from '../../kernel/index.ts'
import type { Device, Provisioning } from '../../provisioning/index.ts'
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
  if (publication.qos > 1) throw new Fault('malformed_request', 'QoS 2 is not supported.')
  const target = parseTopic(publication.topic, connector.resources)
  if (target.kind !== 'provision') {
    throw new Fault('forbidden', 'An anonymous connection may only activate.')
  }
  const { identity } = target
  const topic = tokenTopic(identity)
  if (publication.payload.length === 0) {
    const { token } = await provisioning.activate(connector, identity, connection)
    return { topic, payload: token }
  }
  if (publication.payload.length > limits.devicePasswordBytesMax) {
    throw new Fault('too_large', 'A password is longer than it may be.')
  }
  const password = publication.payload.toString('utf8')
  await provisioning.activateWithPassword(connector, identity, password, connection)
  return { topic, payload: '' }
}

/**
 * Gives a device a new credential while a rotation is open. It asks in the same way, on a
 * connection that it made with its present credential.
 * @throws Fault `forbidden` if no rotation is open or for another identity, and the faults of a
 *   rotation.
 */
export async function renew(
  { rotations }: Provisioning,
  device: Device,
  connection: DeviceConnection,
  { topic, payload, qos }: Publication,
): Promise<Activated> {
  if (qos > 1) throw new Fault('malformed_request', 'QoS 2 is not supported.')
  const answer = tokenTopic(device.identity)
  if (topic === answer) {
    const token = payload.length === 0 && (await rotations.fetchToken(device, connection))
    if (token) return { topic, payload: token.token }
    const password = payload.toString('utf8')
    if (password !== '' && (await rotations.bringPassword(device, password, connection))) {
      return { topic, payload: '' }
    }
  }
  throw new Fault('forbidden', 'Only an anonymous connection may activate.')
}
