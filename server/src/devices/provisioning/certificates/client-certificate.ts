import { X509Certificate } from 'node:crypto'
import { Fault } from '../../../foundation/kernel/index.ts'
import { computeFingerprint, readCommonName } from './certificate.ts'

/** The fields of a certificate whose signature was checked. Times are milliseconds since 1970. */
export type ClientCertificate = {
  /** Its common name. */
  readonly identity: string
  readonly fingerprint: string
  /** True if the connector's client CA signed it. */
  readonly signed: boolean
  readonly from: number
  readonly until: number
  /** The end of the client CA's own validity; infinite if there is no client CA. */
  readonly caUntil: number
}

const clientAuth = '1.3.6.1.5.5.7.3.2'
const anyUsage = '2.5.29.37.0'

/**
 * Reads a device's certificate and checks its signature by the client CA. That the device has the
 * private key was proved in the handshake; nothing else there is believed.
 * @param caPem the connector's client CA, null where it has none.
 * @returns Fault `certificate_untrusted`, with the rule that the certificate breaks.
 */
export function readClientCertificate(
  certificate: X509Certificate,
  caPem: string | null,
): ClientCertificate | Fault {
  const identity = readCommonName(certificate)
  if (identity === undefined) return untrusted('has not exactly one common name (CN)')
  if (certificate.ca) return untrusted("is an authority's, not a device's")
  if (!servesClients(certificate)) return untrusted('is not for client authentication')
  const ca = caPem === null ? undefined : new X509Certificate(caPem)
  if (ca !== undefined && !isSignedBy(certificate, ca)) {
    return untrusted("is not signed by the connector's client CA")
  }
  return {
    identity,
    fingerprint: computeFingerprint(certificate),
    signed: ca !== undefined,
    from: certificate.validFromDate.getTime(),
    until: certificate.validToDate.getTime(),
    caUntil: ca === undefined ? Number.POSITIVE_INFINITY : ca.validToDate.getTime(),
  }
}

/**
 * Checks its validity by the clock; to be called at each use, since connections stay open for long.
 * @throws Fault `certificate_not_yet_valid`, `certificate_expired`.
 */
export function refuseTime({ from, until, caUntil }: ClientCertificate, nowMs: number): void {
  if (!(from <= nowMs)) {
    const sentence = `The certificate is not valid before ${new Date(from).toISOString()}.`
    throw new Fault('certificate_not_yet_valid', sentence)
  }
  if (!(nowMs <= until)) {
    const sentence = `The certificate was valid until ${new Date(until).toISOString()}.`
    throw new Fault('certificate_expired', sentence)
  }
  if (!(nowMs <= caUntil)) {
    const sentence = `The client CA was valid until ${new Date(caUntil).toISOString()}.`
    throw new Fault('certificate_expired', sentence)
  }
}

/** Without a word about its use it is for every use. */
function servesClients({ keyUsage }: X509Certificate): boolean {
  const usages: readonly string[] | undefined = keyUsage
  return usages === undefined || usages.some((usage) => usage === clientAuth || usage === anyUsage)
}

/** The issuer's name alone is no proof, nor is a signature under another name. */
export function isSignedBy(certificate: X509Certificate, ca: X509Certificate): boolean {
  try {
    return certificate.checkIssued(ca) && certificate.verify(ca.publicKey)
  } catch {
    return false
  }
}

function untrusted(rule: string): Fault {
  return new Fault('certificate_untrusted', `The certificate ${rule}.`)
}
