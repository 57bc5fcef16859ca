/** A text behind its length in two bytes, as MQTT has it. */
function field(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}

/** The header and the length of a packet whose body is shorter than 16 KiB. */
function packet(type: number, body: Buffer): Buffer {
  const { length } = body
  const bytes = length < 0x80 ? [length] : [(length & 0x7f) + 0x80, length >> 7]
  return Buffer.concat([Buffer.from([type, ...bytes]), body])
}

/** MQTT 3.1.1, a clean session, no keep-alive, an empty user name and the token as password. */
export function connectPacket(clientId: string, token: string): Buffer {
  const head = Buffer.concat([field('MQTT'), Buffer.from([4, 0b1100_0010, 0, 0])])
  return packet(0x10, Buffer.concat([head, field(clientId), field(''), field(token)]))
}

/** A PUBLISH with QoS 1, whose packet id alone changes. */
export function publishPacket(topic: string, payload: string): (packetId: number) => Buffer {
  const name = field(topic)
  const made = packet(0x32, Buffer.concat([name, Buffer.from([0, 0]), Buffer.from(payload)]))
  const at = made.length - Buffer.byteLength(payload) - 2
  return (packetId) => {
    const copy = Buffer.from(made)
    copy.writeUInt16BE(packetId, at)
    return copy
  }
}
