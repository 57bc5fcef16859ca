import { createPasswords, type Passwords } from '../../kernel/index.ts'
import type { Activations } from '../activation/activations.ts'
import { createFirstConnect } from '../activation/first-connect.ts'
import { type Crls, createCrls } from '../certificates/crls.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { ProvisioningOptions } from '../needs.ts'
import type { Presence } from '../presence.ts'
import { useNext } from '../rotation/use.ts'
import { type Admission, createAdmission, type IdentityRef } from './admission.ts'
import {
  type AuthenticateCertificate,
  createCertificateCheck,
  createCertificateReader,
} from './authenticate-certificate.ts'
import { createPasswordChecks, type PasswordChecks } from './authenticate-password.ts'
import { type AuthenticateToken, createTokenCheck } from './authenticate-token.ts'
import { createRevocations, type Revocations } from './revocations.ts'
import { createJudge, createStandings, type JudgeLink, type OpenStanding } from './standing.ts'

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
  /** As the log shows it, where it is known. */
  readonly protocol?: string
  /** Whether it may provision the device, as its first request; see first-connect.ts. */
  readonly provisions?: true
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
  readonly judgeLink: JudgeLink
  /** Makes the next use of an identity's credential ask the database. */
  forget(whose: IdentityRef): void
  readonly passwords: Passwords
  /** Tells who may not go on; see revocations.ts. */
  readonly revocations: Revocations
  /** The revocation lists of client CAs; see crls.ts. */
  readonly crls: Crls
}

export function createCredentials(
  options: ProvisioningOptions,
  connectors: Connectors,
  presence: Presence,
  activations: Activations,
): Credentials {
  const admission: Admission = createAdmission(
    options,
    presence,
    (known, connector, connection) => {
      const needs = { ...options, revocations }
      return useNext(needs, known, connector, connection, () => admission.reread(known))
    },
  )
  const passwords = createPasswords(options.random)
  const revocations = createRevocations(options, {
    forget: admission.forget,
    forgetConnector(connectorId) {
      connectors.forget(connectorId)
      crls.forget(connectorId)
    },
  })
  const crls = createCrls(options, connectors, revocations)
  const readCertificate = createCertificateReader(crls)
  const judgeLink = createJudge(options, connectors, admission, readCertificate)
  return {
    authenticateToken: createTokenCheck(connectors, admission),
    authenticateCertificate: createCertificateCheck(
      options,
      connectors,
      admission,
      activations,
      readCertificate,
    ),
    ...createPasswordChecks(options, connectors, {
      ...{ admission, passwords },
      provisionFirst: createFirstConnect(passwords, activations, admission),
    }),
    openStanding: createStandings(connectors, admission, judgeLink),
    judgeLink,
    forget: admission.forget,
    passwords,
    revocations,
    crls,
  }
}
