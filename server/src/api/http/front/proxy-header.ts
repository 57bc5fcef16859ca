import { isIP } from 'node:net'
import { exactText } from '../../../foundation/kernel/index.ts'
import type { Head } from './read-head.ts'

/** The line of version 1 of the PROXY protocol, with its end. A standard or a provider sets it. */
const proxyLineBytesMax = 107

/** The client's connection as a header of the PROXY protocol describes it. */
export type ProxyHeader = {
  /** Undefined: the proxy speaks for itself, as in a health check. */
  readonly ip: string | undefined
  /** True if the client's connection to the proxy is encrypted; version 2 can state it. */
  readonly encrypted: boolean
  /** The host that the client asked the proxy's TLS for. */
  readonly serverName: string | undefined
}

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const first = Buffer.from('PROXY ', 'latin1')
const fixedBytes = signature.length + 4
const none: ProxyHeader = { ip: undefined, encrypted: false, serverName: undefined }

/**
 * Parses a header of the PROXY protocol, version 1 or 2, at the start of a connection.
 * @throws Error if it is none.
 */
export function parseProxyHeader(bytes: Buffer): Head<ProxyHeader> | undefined {
  if (startsLike(bytes, signature)) return parseBinary(bytes)
  if (startsLike(bytes, first)) return parseLine(bytes)
  throw new Error('it is not a header of the PROXY protocol')
}

function startsLike(bytes: Buffer, known: Buffer): boolean {
  const length = Math.min(bytes.length, known.length)
  return bytes.subarray(0, length).equals(known.subarray(0, length))
}

function parseLine(bytes: Buffer): Head<ProxyHeader> | undefined {
  const end = bytes.subarray(0, proxyLineBytesMax).indexOf('\r\n')
  if (end < 0) {
    if (bytes.length < proxyLineBytesMax) return undefined
    throw new Error('its line does not end')
  }
  const [, family, ip = ''] = bytes.toString('latin1', 0, end).split(' ')
  const length = end + 2
  if (family === 'UNKNOWN') return { value: none, length }
  if (isIP(ip) === 0 || family !== `TCP${isIP(ip)}`) throw new Error('it names no address')
  return { value: { ...none, ip }, length }
}

const [localCommand, proxyCommand] = [0x20, 0x21]

function parseBinary(bytes: Buffer): Head<ProxyHeader> | undefined {
  if (bytes.length < fixedBytes) return undefined
  const command = bytes.readUInt8(signature.length)
  if (command !== localCommand && command !== proxyCommand)
    throw new Error('its version is another')
  const length = fixedBytes + bytes.readUInt16BE(signature.length + 2)
  if (bytes.length < length) return undefined
  if (command === localCommand) return { value: none, length }
  const family = bytes.readUInt8(signature.length + 1)
  const body = bytes.subarray(fixedBytes, length)
  if (family === 0x11) return { value: parseHeader(body, v4(body), 12), length }
  if (family === 0x21) return { value: parseHeader(body, v6(body), 36), length }
  return { value: none, length }
}

function v4(body: Buffer): string {
  if (body.length < 12) throw new Error('it is too short for its addresses')
  return [...body.subarray(0, 4)].join('.')
}

function v6(body: Buffer): string {
  if (body.length < 36) throw new Error('it is too short for its addresses')
  const words = Array.from({ length: 8 }, (_, at) => body.readUInt16BE(2 * at).toString(16))
  return new URL(`http://[${words.join(':')}]`).hostname.slice(1, -1)
}

const [authorityType, sslType] = [0x02, 0x20]
/** The client connected over TLS. */
const clientSsl = 0x01

function parseHeader(body: Buffer, ip: string, from: number): ProxyHeader {
  let [encrypted, serverName]: [boolean, string | undefined] = [false, undefined]
  for (let at = from; at + 3 <= body.length; ) {
    const [type, length] = [body.readUInt8(at), body.readUInt16BE(at + 1)]
    const value = body.subarray(at + 3, at + 3 + length)
    if (value.length < length) throw new Error('one of its fields is cut off')
    if (type === sslType) encrypted = ((value[0] ?? 0) & clientSsl) !== 0
    if (type === authorityType) serverName = exactText(value).toLowerCase()
    at += 3 + length
  }
  return { ip, encrypted, serverName }
}
