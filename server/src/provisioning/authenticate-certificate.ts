import type { X509Certificate } from 'node:crypto'
import { Fault } from '../kernel/index.ts'
import type { Admission, Known } from './admission.ts'
import { type ClientCertificate, readClientCertificate, refuseTime } from './client-certificate.ts'
import type { Connector } from './connector.ts'
import type { Connectors } from './connectors.ts'
import type { Device } from './credentials.ts'
import type { ProvisioningOptions } from './needs.ts'
import type { Presence } from './presence.ts'
import type { Origin } from './provision.ts'
import { isOf, provisionByCertificate } from './provision-by-certificate.ts'
import { about } from './refusal.ts'

/**
 * Whose certificate this is. Where the identity waits to be provisioned, or may register itself,
 * this is what provisions it: there is no activation with this method.
 *
 * What reading it and checking its signature cost is paid once for each object, so a door should
 * keep the one of a socket. The rest is asked each time: the times, and what became of the device.
 * @param connectorId names the connector; the same identity may exist on others.
 * @throws Fault `certificate_untrusted`, `certificate_not_yet_valid`, `certificate_expired`,
 *   `certificate_mismatch` (another one belongs to the device), `unknown_credential`, `locked`, and
 *   what `provision` throws; thrown or rejected.
 */
export type AuthenticateCertificate = (
  connectorId: string,
  certificate: X509Certificate,
  origin: Origin,
) => Device | Promise<Device>

/** What was found of a certificate, and with which authority. */
type Read = { readonly caPem: string | null; readonly found: ClientCertificate | Fault }

export function createCertificateCheck(
  options: ProvisioningOptions,
  connectors: Pick<Connectors, 'find'>,
  admission: Admission,
  presence: Presence,
): AuthenticateCertificate {
  const needs = { ...options, presence, admission }
  const readOnce = createReader()

  function identify(
    connector: Connector | undefined,
    x509: X509Certificate,
    origin: Origin,
  ): Device | Promise<Device> {
    if (connector === undefined) {
      throw new Fault('unknown_credential', 'A certificate needs a host that names its connector.')
    }
    const certificate = readOnce(connector, x509)
    refuseTime(certificate, options.clock.nowMs())
    const known = admission.byIdentity(connector.id, certificate.identity)
    return known instanceof Promise
      ? known.then((found) => admit(connector, certificate, found, origin))
      : admit(connector, certificate, known, origin)
  }

  function admit(
    connector: Connector,
    certificate: ClientCertificate,
    known: Known | undefined,
    origin: Origin,
  ): Device | Promise<Device> {
    if (known !== undefined && isOf(known, certificate)) {
      return admission.admit(known, connector, origin)
    }
    return settle(connector, certificate, known, origin)
  }

  /** What is kept may be of yesterday, so the database is asked before anybody is refused. */
  async function settle(
    connector: Connector,
    certificate: ClientCertificate,
    kept: Known | undefined,
    origin: Origin,
  ): Promise<Device> {
    const known = kept && (await admission.reread(kept))
    if (known !== undefined && isOf(known, certificate)) {
      return admission.admit(known, connector, origin)
    }
    const device = { connector, identity: certificate.identity }
    try {
      if (known !== undefined && !known.awaits) throw explain(known)
      await provisionByCertificate(needs, connector, certificate, known ?? null, origin)
      return device
    } catch (error) {
      throw error instanceof Fault ? about(error, device) : error
    }
  }

  return (connectorId, x509, origin) => {
    const connector = connectorId === '' ? undefined : connectors.find(connectorId)
    return connector instanceof Promise
      ? connector.then((found) => identify(found, x509, origin))
      : identify(connector, x509, origin)
  }
}

/** Keeps what was found of each certificate, until its connector trusts another authority. */
function createReader() {
  const reads = new WeakMap<X509Certificate, Read>()
  return (connector: Connector, x509: X509Certificate): ClientCertificate => {
    const caPem = trustedCa(connector)
    const before = reads.get(x509)
    const found = before?.caPem === caPem ? before.found : readClientCertificate(x509, caPem)
    if (found !== before?.found) reads.set(x509, { caPem, found })
    if (found instanceof Fault) throw found
    return found
  }
}

/** Null: then only certificates that the operator gave to identities are known. */
function trustedCa({ pki }: Connector): string | null {
  return pki.enabled ? pki.caPem : null
}

function explain({ authType }: Known): Fault {
  if (authType === 'certificate') {
    return new Fault('certificate_mismatch', 'Another certificate belongs to the device.')
  }
  return new Fault('unknown_credential', `The device was provisioned with a ${authType}.`)
}
