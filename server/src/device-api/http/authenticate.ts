import { isUtf8 } from 'node:buffer'
import { Fault, faultOf, type VendorName } from '../../kernel/index.ts'
import type { Device, Provisioning } from '../../provisioning/index.ts'
import { peerCertificateOf } from '../socket-security.ts'
import { type DeviceRequest, hostLabel, refuseWrongHost, spokenOf, tokenOf } from './request.ts'

export type AuthenticateDeps = {
  readonly provisioning: Provisioning
  readonly vendors: readonly VendorName[]
}

/**
 * Who speaks; it counts as seen. A token names its connector, whatever the host. An identity with
 * a password or a certificate does not, since other connectors may have the same identity: the
 * host does. What is said in the request goes before the certificate of the connection.
 * @throws Fault, or rejects with it.
 */
export function authenticateRequest(
  { provisioning, vendors }: AuthenticateDeps,
  request: DeviceRequest,
  { provisions = true }: { readonly provisions?: boolean } = {},
): Device | Promise<Device> {
  const { ip, encrypted } = request
  const connection = { ip, encrypted }
  const token = tokenOf(request, vendors)
  refuseWrongHost(request, token === undefined ? 'exactly' : 'no sibling')
  if (token !== undefined) return provisioning.authenticateToken(token, connection)
  const userPass = basicOf(request)
  if (userPass !== undefined) {
    const { protocol } = spokenOf(request)
    const first = { ...connection, protocol, ...(provisions && { provisions }) }
    return provisioning.authenticateBasic(hostLabel(request), userPass, first)
  }
  const certificate = peerCertificateOf(request.message.socket)
  if (certificate !== undefined) {
    const connection = { ...spokenOf(request), encrypted }
    return provisioning.authenticateCertificate(hostLabel(request), certificate, connection)
  }
  throw new Fault('unknown_credential', 'The request carries no credential.')
}

/**
 * Who asks for a new credential with the one that it has. What proves nothing is no refusal here: a
 * device that has to activate again may still send what it had before.
 */
export async function authenticatePrevious(
  needs: AuthenticateDeps,
  request: DeviceRequest,
): Promise<Device | undefined> {
  const carries = tokenOf(request, needs.vendors) !== undefined || basicOf(request) !== undefined
  if (!carries) return undefined
  try {
    return await authenticateRequest(needs, request, { provisions: false })
  } catch (error) {
    if (faultOf(error).status < 500) return undefined
    throw error
  }
}

const basicPattern = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i

/** `<identity>:<password>` of HTTP Basic, read as UTF-8 where it is UTF-8. */
function basicOf(request: DeviceRequest): string | undefined {
  const [, encoded] = basicPattern.exec(request.message.headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1')
}
