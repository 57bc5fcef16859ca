import { createPasswords, type Passwords } from '../kernel/index.ts'
import { createAdmission, type Whose } from './admission.ts'
import { type AuthenticateCertificate, createCertificateCheck } from './authenticate-certificate.ts'
import { createPasswordChecks, type PasswordChecks } from './authenticate-password.ts'
import { type AuthenticateToken, createTokenCheck } from './authenticate-token.ts'
import type { Connector } from './connector.ts'
import type { Connectors } from './connectors.ts'
import type { ProvisioningOptions } from './needs.ts'
import type { Presence } from './presence.ts'
import { createRevocations, type Revocations } from './revocations.ts'
import { createStandings, type OpenStanding } from './standing.ts'

/** A device that proved who it is. */
export type Device = {
  readonly connector: Connector
  readonly identity: string
}

/** How a credential came. */
export type Connection = {
  readonly encrypted: boolean
  /** Where it came from; with it the device counts as seen. */
  readonly ip?: string
}

/**
 * The ways in which a device proves who it is. Which one is the device's own: it is what it was
 * provisioned with, whatever its connector says later.
 */
export type Credentials = PasswordChecks & {
  /** @throws Fault `unknown_credential`, `plain_connection`, `locked`; thrown or rejected. */
  readonly authenticateToken: AuthenticateToken
  readonly authenticateCertificate: AuthenticateCertificate
  readonly openStanding: OpenStanding
  /** Makes the next use of an identity's credential ask the database. */
  forget(whose: Whose): void
  readonly passwords: Passwords
  /** Tells who may not go on; see revocations.ts. */
  readonly revocations: Revocations
}

export function createCredentials(
  options: ProvisioningOptions,
  connectors: Connectors,
  presence: Presence,
): Credentials {
  const admission = createAdmission(options, presence)
  const passwords = createPasswords(options.random)
  return {
    authenticateToken: createTokenCheck(connectors, admission),
    authenticateCertificate: createCertificateCheck(options, connectors, admission, presence),
    ...createPasswordChecks(options, connectors, admission, passwords),
    openStanding: createStandings(connectors, admission),
    forget: admission.forget,
    passwords,
    revocations: createRevocations(options, admission.forget),
  }
}
