import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { Fault, readRequestBody, type VendorName } from '../../kernel/index.ts'
import type { ConnectionInfo } from '../../provisioning/index.ts'
import { type Pair, parseForm } from './form.ts'

/** A request before its body is read. */
export type DeviceRequest = {
  readonly message: IncomingMessage
  /** Without the question mark. */
  readonly query: string
  readonly ip: string
  readonly encrypted: boolean
}

const mappedPrefix = '::ffff:'
const authorizationToken = /^token +(\S+) *$/i

export function openRequest(message: IncomingMessage, query: string): DeviceRequest {
  return {
    message,
    query,
    ip: addressOf(message.socket),
    encrypted: (message.socket as TLSSocket).encrypted === true,
  }
}

/** Returns the peer's address; an IPv4 address that is mapped to IPv6 as IPv4. */
export function addressOf(socket: Pick<Socket, 'remoteAddress'>): string {
  const address = socket.remoteAddress ?? ''
  return address.startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address
}

/** Returns the connection's address and protocol, for the log. */
export function logFieldsOf(request: DeviceRequest): Pick<ConnectionInfo, 'ip' | 'protocol'> {
  return { ip: request.ip, protocol: request.encrypted ? 'https' : 'http' }
}

export function connectionOf(request: DeviceRequest): ConnectionInfo {
  return { ...logFieldsOf(request), encrypted: request.encrypted }
}

/** A header's value; `name` in lower case. */
export function headerOf(request: DeviceRequest, name: string): string | undefined {
  const value = request.message.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** The token of a data request, from one of the vendors' headers or from `Authorization`. */
export function tokenOf(
  request: DeviceRequest,
  vendors: readonly VendorName[],
): string | undefined {
  const { headers } = request.message
  for (const vendor of vendors) {
    const token = headers[vendor.tokenHeader]
    if (typeof token === 'string' && token !== '') return token
  }
  return authorizationToken.exec(headers.authorization ?? '')?.[1]
}

/** The host that the device called in the request, in lower case and without its port. */
function hostOf(request: DeviceRequest): string {
  return (request.message.headers.host ?? '').toLowerCase().replace(/\.?(?::\d*)?$/, '')
}

/**
 * Rejects a request for another host than that of the connection's TLS server name. Some firmware
 * sends a fixed legacy name as `Host`: both must be the same (`exactly`) only if `Host` names the
 * connector, else they must not be siblings. A session that was resumed under TLS 1.2 has no server
 * name; then there is nothing to compare.
 * @throws Fault `wrong_host`
 */
export function refuseWrongHost(request: DeviceRequest, match: 'exactly' | 'no sibling'): void {
  const { servername } = request.message.socket as Partial<TLSSocket>
  if (typeof servername !== 'string' || servername === '') return
  const [host, made] = [hostOf(request), servername.toLowerCase()]
  if (host === made || (match === 'no sibling' && parentOf(host) !== parentOf(made))) return
  throw new Fault('wrong_host', `The connection was made for ${made}.`)
}

function parentOf(host: string): string {
  return host.slice(host.indexOf('.') + 1)
}

/** The first label of the host that the device called, in lower case; often a connector's id. */
export function hostLabel(request: DeviceRequest): string {
  const host = request.message.headers.host ?? ''
  return (host.split(/[.:]/, 1)[0] ?? '').toLowerCase()
}

/** The limits of a call's body. */
export type FormLimits = { readonly bytesMax: number; readonly pairsMax: number }

/**
 * Reads the body whole and splits it into its pairs.
 * @throws Fault `too_large` at once if `Content-Length` is past the limit, else as soon as the body
 *   grows past it or has too many pairs; `malformed_request` if the device hangs up in the middle.
 */
export async function readForm({ message }: DeviceRequest, most: FormLimits): Promise<Pair[]> {
  return parseForm(await readRequestBody(message, most.bytesMax), most.pairsMax)
}
