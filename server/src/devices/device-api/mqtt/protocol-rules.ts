import type { ConnectPacket } from 'aedes'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { Publication } from './publication.ts'

/** The rules of MQTT 3.1.1 that the broker and its parser leave out. */

/** The parser writes U+FFFD for bytes that are not UTF-8. */
const wrongText = /[\0\uFFFD]/

/**
 * Returns why a connection is to be closed; undefined for a CONNECT that is taken. An empty client
 * id without a clean session is: clients in the field send it.
 */
export function refuseConnect(packet: ConnectPacket): Fault | undefined {
  const { protocolId, protocolVersion, clientId, will } = packet
  if (protocolId === 'MQTT' && protocolVersion === 3) {
    return malformed('The protocol MQTT has no level 3.')
  }
  if (wrongText.test(clientId)) return malformed('The client id is no text without NUL in UTF-8.')
  return (will?.qos ?? 0) > 2 ? malformed('A last will has no QoS 3.') : undefined
}

/** @throws Fault `malformed_request`: the connection is to be closed. */
export function checkPublish({ topic, qos, packetId }: Publication): void {
  checkText(topic)
  if (qos > 0 && packetId === 0) throw malformed('The packet id 0 is none.')
}

/**
 * Returns false for a topic filter that is not granted.
 * @throws Fault `malformed_request`: the connection is to be closed.
 */
export function isTopicFilter(topic: string): boolean {
  checkText(topic)
  return topic !== '' && !/\p{Cc}/u.test(topic)
}

function checkText(topic: string): void {
  if (wrongText.test(topic)) throw malformed('The topic is no text without NUL in UTF-8.')
}

function malformed(detail: string): Fault {
  return new Fault('malformed_request', detail)
}
