import {
  decodeTextOrLatin1,
  Fault,
  toFault,
  type VendorName,
} from '../../../foundation/kernel/index.ts'
import type { Device, Provisioning } from '../../provisioning/index.ts'
import { type DeviceRequest, hostLabel, readToken, refuseWrongHost } from './request.ts'

export type AuthenticateOptions = {
  readonly provisioning: Provisioning
  readonly vendors: readonly VendorName[]
}

/**
 * Authenticates the device of a request; it counts as seen. A token identifies its connector,
 * whatever the host. With a password or a certificate the host does, since other connectors may
 * have the same identity. A credential of the request goes before the certificate of the
 * connection.
 * @throws Fault, or rejects with it.
 */
export function authenticateRequest(
  { provisioning, vendors }: AuthenticateOptions,
  request: DeviceRequest,
  { provisions = true }: { readonly provisions?: boolean } = {},
): Device | Promise<Device> {
  const { connection } = request
  const token = readToken(request, vendors)
  refuseWrongHost(request, token === undefined ? 'exactly' : 'no sibling')
  if (token !== undefined) {
    return provisioning.authenticateToken(token, connection)
  }
  const userPass = readBasic(request)
  if (userPass !== undefined) {
    const { ip, protocol, encrypted } = connection
    const use = { ip, protocol, encrypted, provisions }
    return provisioning.authenticateBasic(hostLabel(request), userPass, use)
  }
  const { certificate } = connection
  if (certificate !== undefined) {
    return provisioning.authenticateCertificate(hostLabel(request), certificate, connection)
  }
  throw new Fault('unknown_credential', 'The request carries no credential.')
}

/**
 * Authenticates a device that asks for a new credential with its present one; undefined if that is
 * not valid, because a device that has to activate again may still send its old credential.
 */
export async function authenticatePrevious(
  options: AuthenticateOptions,
  request: DeviceRequest,
): Promise<Device | undefined> {
  const carries =
    readToken(request, options.vendors) !== undefined || readBasic(request) !== undefined
  if (!carries) return undefined
  try {
    return await authenticateRequest(options, request, { provisions: false })
  } catch (error) {
    if (toFault(error).status < 500) return undefined
    throw error
  }
}

const basicPattern = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i

/** `<identity>:<password>` of HTTP Basic: as UTF-8 if it is valid, else as Latin-1. */
function readBasic(request: DeviceRequest): string | undefined {
  const [, encoded] = basicPattern.exec(request.message.headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  return decodeTextOrLatin1(Buffer.from(encoded, 'base64'))
}
