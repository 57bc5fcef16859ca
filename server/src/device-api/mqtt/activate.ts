import { Fault, limits } from '../../kernel/index.ts'
import type { Device, Provisioning } from '../../provisioning/index.ts'
import type { Link, Stranger } from './authenticate.ts'
import type { Publication } from './publication.ts'
import { parseTopic, tokenTopic } from './topics.ts'

/** What the device is sent for its activation. */
export type Activated = { readonly topic: string; readonly payload: string }

/**
 * The one thing that a stranger may do: publish to `$provision/<identity>`, with nothing for a
 * token, with the password for the password method. It is answered on the same topic: with the
 * token and nothing else, or with nothing.
 * @throws Fault `forbidden` for any other topic, and what an activation throws.
 */
export async function activate(
  provisioning: Provisioning,
  { connector }: Stranger,
  { ip, protocol, encrypted }: Link,
  publication: Publication,
): Promise<Activated> {
  if (publication.qos > 1) throw new Fault('malformed_request', 'QoS 2 is not supported.')
  const target = parseTopic(publication.topic, connector.resources)
  if (target.kind !== 'provision') {
    throw new Fault('forbidden', 'An anonymous connection may only activate.')
  }
  const { identity } = target
  const origin = { ip, protocol, encrypted }
  const topic = tokenTopic(identity)
  if (publication.payload.length === 0) {
    const { token } = await provisioning.activate(connector, identity, origin)
    return { topic, payload: token }
  }
  if (publication.payload.length > limits.devicePasswordBytesMax) {
    throw new Fault('too_large', 'A password is longer than it may be.')
  }
  const password = publication.payload.toString('utf8')
  await provisioning.activateWithPassword(connector, identity, password, origin)
  return { topic, payload: '' }
}

/**
 * A device asks in the same way for a new credential, on a connection that it made with the one it
 * has; while a rotation of that is open.
 * @throws Fault `forbidden` where none is, or for another identity, and what a rotation throws.
 */
export async function renew(
  { rotations }: Provisioning,
  device: Device,
  { ip, protocol, encrypted }: Link,
  { topic, payload, qos }: Publication,
): Promise<Activated> {
  if (qos > 1) throw new Fault('malformed_request', 'QoS 2 is not supported.')
  const origin = { ip, protocol, encrypted }
  const answer = tokenTopic(device.identity)
  if (topic === answer) {
    const token = payload.length === 0 && (await rotations.fetchToken(device, origin))
    if (token) return { topic, payload: token.token }
    const password = payload.toString('utf8')
    if (password !== '' && (await rotations.bringPassword(device, password, origin))) {
      return { topic, payload: '' }
    }
  }
  throw new Fault('forbidden', 'Only an anonymous connection may activate.')
}
