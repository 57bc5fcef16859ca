import {
  createSettingsParser,
  Fault,
  hashToken,
  invalidField,
  limits,
  newToken,
  type Passwords,
  refuseText,
} from '../../../foundation/kernel/index.ts'
import { refusePasswordLength } from '../activation/provision.ts'
import { parseGivenCertificate } from '../certificates/given-certificate.ts'
import { signIdentityCsr } from '../certificates/sign-identity.ts'
import type { Signer } from '../certificates/signer.ts'
import type { Connector } from '../connectors/connector.ts'
import type { AuthType } from '../credentials/auth-type.ts'
import type { ProvisioningOptions } from '../options.ts'
import type { KeptCertificate } from '../store/certificates.ts'
import type { NextCredential, RotationRow } from '../store/rotations.ts'
import { createRotationSchema, type RotationInput } from './schema.ts'

export type RotationOrder = {
  readonly hours: number
  readonly given: { readonly type: GivenType; readonly key: string | undefined } | undefined
}

type GivenType = AuthType | 'csr'

const parse = createSettingsParser(createRotationSchema, 'body', '')

/** @throws Fault `invalid_argument`, naming the field as the management API does. */
export function parseRotation(input: RotationInput): RotationOrder {
  const { hours = limits.rotationHours, auth: { type, key } = {} } = parse(input)
  if (type === undefined && key !== undefined) throw invalidField('auth.key', 'needs auth.type')
  if (type === 'token' && key !== undefined) {
    throw invalidField('auth.key', 'must be left out: a token is made here')
  }
  return { hours, given: type && { type, key } }
}

export type OperatorCredentialOptions = Pick<
  ProvisioningOptions,
  'clock' | 'random' | 'secrets'
> & {
  readonly passwords: Passwords
  readonly signer: Signer
}

/** A new credential, with what the operator is shown of it: once. */
export type OperatorCredential = {
  readonly next: NextCredential
  readonly shown: { readonly token?: string; readonly certificate?: string }
  /** A certificate, to be read again once it is in force. */
  readonly kept?: KeptCertificate
}

function makeNext(hash: string): NextCredential {
  return { hash, plain: false, fetchedAt: null }
}

/**
 * Makes or reads the new credential that an operator gives.
 * @throws Fault `invalid_argument`, and what a signing throws.
 */
export async function makeOperatorCredential(
  options: OperatorCredentialOptions,
  connector: Connector,
  identity: string,
  row: RotationRow,
  { type, key }: NonNullable<RotationOrder['given']>,
): Promise<OperatorCredential> {
  refuseMethod(row, type)
  if (type === 'token') {
    const token = newToken(options.random)
    return { next: makeNext(hashToken(token)), shown: { token } }
  }
  if (type === 'password') {
    const password = parsePassword(key)
    if (row.current !== null && (await options.passwords.verify(password, row.current))) {
      throw invalidField('auth.key', 'must be another password than the one in force')
    }
    return { next: makeNext(await options.passwords.hash(password)), shown: {} }
  }
  if (type === 'csr') {
    const kept = await signIdentityCsr(options, connector, identity, key ?? '')
    const shown = { certificate: kept.certificatePem }
    return { next: makeNext(kept.fingerprint), shown, kept }
  }
  const nowMs = options.clock.nowMs()
  const kept = parseGivenCertificate(connector, identity, key, nowMs)
  if (kept.fingerprint === row.current) {
    throw invalidField('auth.key', 'must be another certificate than the one in force')
  }
  return { next: makeNext(kept.fingerprint), shown: {}, kept }
}

/** @throws Fault `invalid_argument` for a credential of another method than the device's. */
export function refuseMethod({ auth_type: is }: RotationRow, type: GivenType): void {
  if ((type === 'csr' ? 'certificate' : type) === is) return
  const mine = is === 'certificate' ? 'certificate or csr' : is
  throw invalidField(
    'auth.type',
    `can only be ${mine} here: a rotation keeps the method of the device`,
  )
}

function parsePassword(password: string | undefined): string {
  if (password === undefined) throw invalidField('auth.key', 'must be a string')
  const refusal = refuseText(password, limits.devicePasswordBytesMax)
  if (refusal !== undefined) throw invalidField('auth.key', refusal)
  try {
    refusePasswordLength(password)
  } catch (error) {
    throw error instanceof Fault ? invalidField('auth.key', `is refused: ${error.detail}`) : error
  }
  return password
}
