import type { X509Certificate } from 'node:crypto'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { Activations } from '../activation/activations.ts'
import {
  matchingCredential,
  provisionByCertificate,
} from '../activation/provision-by-certificate.ts'
import {
  type ClientCertificate,
  readClientCertificate,
  refuseTime,
} from '../certificates/client-certificate.ts'
import type { Crls, RevokedSerials } from '../certificates/crls.ts'
import { trustedCa } from '../certificates/pki.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { ConnectionInfo, Device } from '../device.ts'
import { withDevice } from '../device.ts'
import type { ProvisioningOptions } from '../options.ts'
import type { Authorizer } from './authorizer.ts'
import type { CachedCredential } from './cached-credential.ts'

/**
 * Authenticates the device of a certificate. An identity that waits to be provisioned, or may
 * register itself, is provisioned by it: there is no activation with this method.
 *
 * Reading it and checking its signature happens once for each object, so a server should keep that
 * of a socket. Its times and the device's state are checked each time.
 * @param connectorId names the connector; the same identity may exist on others.
 * @throws Fault `certificate_untrusted`, `certificate_revoked`, `certificate_not_yet_valid`,
 *   `certificate_expired`, `certificate_mismatch` (another one belongs to the device),
 *   `unknown_credential`, `locked`, and what `provision` throws; thrown or rejected.
 */
export type AuthenticateCertificate = (
  connectorId: string,
  certificate: X509Certificate,
  connection: ConnectionInfo,
) => Device | Promise<Device>

/** A certificate that was read, with the authority and the revocation list used for it. */
type Read = {
  readonly caPem: string | null
  readonly generation: string
  readonly found: ClientCertificate | Fault
}

/**
 * Reads a certificate, if it is trusted and not revoked. At once, mostly.
 * @throws Fault `certificate_untrusted`, `certificate_revoked`; thrown or rejected.
 */
export type ReadCertificate = (
  connector: Connector,
  x509: X509Certificate,
) => ClientCertificate | Promise<ClientCertificate>

export function createCertificateCheck(
  options: ProvisioningOptions,
  connectors: Pick<Connectors, 'find'>,
  authorizer: Authorizer,
  activations: Activations,
  readCertificate: ReadCertificate,
): AuthenticateCertificate {
  function identify(
    connector: Connector | undefined,
    x509: X509Certificate,
    connection: ConnectionInfo,
  ): Device | Promise<Device> {
    if (connector === undefined) {
      throw new Fault('unknown_credential', 'A certificate needs a host that names its connector.')
    }
    const certificate = readCertificate(connector, x509)
    return certificate instanceof Promise
      ? certificate.then((read) => checkTime(connector, read, connection))
      : checkTime(connector, certificate, connection)
  }

  function checkTime(
    connector: Connector,
    certificate: ClientCertificate,
    connection: ConnectionInfo,
  ): Device | Promise<Device> {
    refuseTime(certificate, options.clock.nowMs())
    const known = authorizer.byIdentity(connector.id, certificate.identity)
    return known instanceof Promise
      ? known.then((found) => authorize(connector, certificate, found, connection))
      : authorize(connector, certificate, known, connection)
  }

  function authorize(
    connector: Connector,
    certificate: ClientCertificate,
    known: CachedCredential | undefined,
    connection: ConnectionInfo,
  ): Device | Promise<Device> {
    const holder = matchingCredential(known, certificate)
    if (holder !== undefined) return authorizer.authorizeCredential(holder, connector, connection)
    return reloadAndAuthorize(
      { ...options, activations, authorizer },
      connector,
      certificate,
      known,
      connection,
    )
  }

  return (connectorId, x509, connection) => {
    const connector = connectorId === '' ? undefined : connectors.find(connectorId)
    return connector instanceof Promise
      ? connector.then((found) => identify(found, x509, connection))
      : identify(connector, x509, connection)
  }
}

type ReloadOptions = Pick<ProvisioningOptions, 'database' | 'logger'> & {
  readonly activations: Activations
  readonly authorizer: Authorizer
}

/** The cache may be outdated, so the database is read before a device is refused. */
async function reloadAndAuthorize(
  options: ReloadOptions,
  connector: Connector,
  certificate: ClientCertificate,
  cached: CachedCredential | undefined,
  connection: ConnectionInfo,
): Promise<Device> {
  const { authorizer } = options
  const known = cached && (await authorizer.reread(cached))
  const holder = matchingCredential(known, certificate)
  if (holder !== undefined) return authorizer.authorizeCredential(holder, connector, connection)
  const device = { connector, identity: certificate.identity }
  try {
    if (known !== undefined && !known.awaits) throw explain(known)
    await provisionByCertificate(options, connector, certificate, known ?? null, connection)
    return device
  } catch (error) {
    throw error instanceof Fault ? withDevice(error, device) : error
  }
}

/** Caches each certificate that was read, until its connector's authority or list changes. */
export function createCertificateReader(crls: Pick<Crls, 'find'>): ReadCertificate {
  // Node makes the certificates: each is one object as long as its socket, and takes no field.
  const reads = new WeakMap<X509Certificate, Read>()

  function read(connector: Connector, x509: X509Certificate, revoked: RevokedSerials) {
    const caPem = trustedCa(connector)
    const { generation } = revoked
    const before = reads.get(x509)
    const isSame = before?.caPem === caPem && before.generation === generation
    const found = isSame ? before.found : find(connector, x509, caPem, revoked)
    if (!isSame) reads.set(x509, { caPem, generation, found })
    if (found instanceof Fault) throw found
    return found
  }

  return (connector, x509) => {
    const revoked = crls.find(connector.id)
    return revoked instanceof Promise
      ? revoked.then((list) => read(connector, x509, list))
      : read(connector, x509, revoked)
  }
}

function find(
  connector: Connector,
  x509: X509Certificate,
  caPem: string | null,
  revoked: RevokedSerials,
): ClientCertificate | Fault {
  const found = readClientCertificate(x509, caPem)
  if (found instanceof Fault || !revoked.has(x509)) return found
  return withDevice(new Fault('certificate_revoked'), { connector, identity: found.identity })
}

function explain({ authType }: CachedCredential): Fault {
  if (authType === 'certificate') {
    return new Fault('certificate_mismatch', 'Another certificate belongs to the device.')
  }
  return new Fault('unknown_credential', `The device was provisioned with a ${authType}.`)
}
