import { isIPv4 } from 'node:net'

/** What a name has of one version of addresses; undefined where there is no such name. */
export type Zone = (name: string, version: 4 | 6) => readonly string[]

const headerBytes = 12
const versionOf: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 }

/** The answer to a DNS question, never to be kept (TTL 0). */
export function dnsAnswer(question: Buffer, zone: Zone): Buffer {
  const labels: string[] = []
  let at = headerBytes
  for (let bytes = question[at] ?? 0; bytes > 0; bytes = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + bytes))
    at += 1 + bytes
  }
  const end = at + 5
  const version = versionOf[question.readUInt16BE(at + 1)]
  const name = labels.join('.').toLowerCase()
  const addresses = version === undefined ? [] : zone(name, version)
  const head = Buffer.from(question.subarray(0, headerBytes))
  head.writeUInt16BE(0x8580, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, question.subarray(headerBytes, end), ...addresses.map(record)])
}

/** It points back to the name in the question. */
function record(address: string): Buffer {
  const bytes = isIPv4(address) ? v4Bytes(address) : v6Bytes(address)
  const type = bytes.length === 4 ? 1 : 28
  return Buffer.concat([
    Buffer.from([0xc0, headerBytes, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]),
    bytes,
  ])
}

function v4Bytes(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number))
}

function v6Bytes(address: string): Buffer {
  // A URL writes the last four bytes in hexadecimal, too.
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [left = '', right] = plain.split('::')
  const words = (text: string) =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16))
  const [before, after] = [words(left), words(right ?? '')]
  const gap = right === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array.from({ length: gap }, () => 0), ...after]
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]))
}
