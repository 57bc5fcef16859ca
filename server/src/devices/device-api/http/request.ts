import type { IncomingMessage } from 'node:http'
import { Fault, readRequestBody, type VendorName } from '../../../foundation/kernel/index.ts'
import type { Connector } from '../../provisioning/index.ts'
import { plainHost } from '../device-connection.ts'
import { type FormPair, parseForm } from './form.ts'
import type { HttpConnection } from './http-connection.ts'

/** A request before its body is read. */
export type DeviceRequest = {
  readonly message: IncomingMessage
  readonly connection: HttpConnection
  /** Without the question mark. */
  readonly query: string
  /** The subject of its refusal's log line, as soon as it is known. */
  subject?: LogSubject
}

/** The subject of a line of the connector's log. */
export type LogSubject = { readonly connector: Connector; readonly identity: string | null }

const authorizationToken = /^token +(\S+) *$/i

/** Returns a header's value; `name` in lower case. */
export function readHeader(request: DeviceRequest, name: string): string | undefined {
  const value = request.message.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns a data request's token, from one of the vendors' headers or from `Authorization`. */
export function readToken(
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

/**
 * Rejects a request for another host than that of the connection's TLS server name. Some firmware
 * sends a fixed legacy name as `Host`: both must be the same (`exactly`) only if `Host` names the
 * connector, else they must not be siblings. A session that was resumed under TLS 1.2 has no server
 * name; then there is nothing to compare.
 * @throws Fault `wrong_host`
 */
export function refuseWrongHost(request: DeviceRequest, match: 'exactly' | 'no sibling'): void {
  const made = request.connection.serverName
  if (made === '') return
  const host = plainHost(request.message.headers.host ?? '')
  if (host === made || (match === 'no sibling' && parentHost(host) !== parentHost(made))) return
  throw new Fault('wrong_host', `The connection was made for ${made}.`)
}

function parentHost(host: string): string {
  return host.slice(host.indexOf('.') + 1)
}

/** Returns the first label of the host that the device called; often a connector's id. */
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
export async function readForm({ message }: DeviceRequest, most: FormLimits): Promise<FormPair[]> {
  return parseForm(await readRequestBody(message, most.bytesMax), most.pairsMax)
}
