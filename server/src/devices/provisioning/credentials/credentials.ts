import { createPasswords, type Passwords } from '../../../foundation/kernel/index.ts'
import type { Activations } from '../activation/activations.ts'
import { createFirstConnect } from '../activation/first-connect.ts'
import { type Crls, createCrls } from '../certificates/crls.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { ProvisioningOptions } from '../options.ts'
import { useNext } from '../rotation/first-use.ts'
import type { Sightings } from '../sightings.ts'
import {
  type AuthenticateCertificate,
  createCertificateCheck,
  createCertificateReader,
} from './authenticate-certificate.ts'
import { createPasswordChecks, type PasswordChecks } from './authenticate-password.ts'
import { type AuthenticateToken, createTokenCheck } from './authenticate-token.ts'
import { type Authorizer, createAuthorizer, type IdentityRef } from './authorizer.ts'
import {
  type CheckConnectorRules,
  createConnectionChecks,
  createConnectorRulesCheck,
  type OpenConnectionCheck,
} from './connection-check.ts'
import { createRevocations, type Revocations } from './revocations.ts'

/**
 * The authentication methods of devices. A device keeps the method with which it was provisioned,
 * whatever its connector is set to later.
 */
export type Credentials = PasswordChecks & {
  /** @throws Fault `unknown_credential`, `plain_connection`, `locked`; thrown or rejected. */
  readonly authenticateToken: AuthenticateToken
  readonly authenticateCertificate: AuthenticateCertificate
  readonly openConnectionCheck: OpenConnectionCheck
  readonly checkConnectorRules: CheckConnectorRules
  /** Makes the next use of an identity's credential read the database. */
  forget(ref: IdentityRef): void
  readonly passwords: Passwords
  /** Publishes revoked credentials; see revocations.ts. */
  readonly revocations: Revocations
  /** The revocation lists of client CAs; see crls.ts. */
  readonly crls: Crls
}

export function createCredentials(
  options: ProvisioningOptions,
  connectors: Connectors,
  sightings: Sightings,
  activations: Activations,
): Credentials {
  const authorizer: Authorizer = createAuthorizer(
    options,
    sightings,
    (known, connector, connection) => {
      const needs = { ...options, revocations }
      return useNext(needs, known, connector, connection, () => authorizer.reread(known))
    },
    (sinceMs) => revocations.areRead(sinceMs),
  )
  const passwords = createPasswords(options.random)
  const revocations = createRevocations(options, {
    forget: authorizer.forget,
    forgetConnector(connectorId) {
      connectors.forget(connectorId)
      authorizer.forgetConnector(connectorId)
      crls.forget(connectorId)
    },
  })
  const crls = createCrls(options, connectors, revocations)
  const readCertificate = createCertificateReader(crls)
  const checkConnectorRules = createConnectorRulesCheck(
    options,
    connectors,
    authorizer,
    readCertificate,
  )
  return {
    authenticateToken: createTokenCheck(connectors, authorizer),
    authenticateCertificate: createCertificateCheck(
      options,
      connectors,
      authorizer,
      activations,
      readCertificate,
    ),
    ...createPasswordChecks(options, connectors, {
      authorizer,
      passwords,
      provisionFirst: createFirstConnect(passwords, activations, authorizer),
    }),
    openConnectionCheck: createConnectionChecks(connectors, authorizer, checkConnectorRules),
    checkConnectorRules,
    forget: authorizer.forget,
    passwords,
    revocations,
    crls,
  }
}
