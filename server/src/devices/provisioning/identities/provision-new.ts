import type { Transaction } from '../../../foundation/database/index.ts'
import {
  Fault,
  hashToken,
  invalidField,
  limits,
  newToken,
  type Passwords,
  refuseText,
} from '../../../foundation/kernel/index.ts'
import type { Activation } from '../activation/activation.ts'
import { initialValueEntries, provisionedEntry } from '../activation/entries.ts'
import type { NewCredential } from '../activation/provision.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import { isTokenTaken, provisionIdentities } from '../store/activations.ts'

/** A credential that a program gives a device, in place of an activation. */
export type GivenCredential = { readonly type: 'token' | 'password'; readonly key?: string }

type NewDevice = Pick<Activation, 'connector' | 'identity'>

/** It did not come over a connection of the device. */
const connection = { ip: '', protocol: 'script', encrypted: true }

/**
 * Prepares the step of a new identity to `provisioned` with a given credential.
 * @returns the credential, and the step, to be run in the transaction that adds the identity.
 * @throws Fault `invalid_argument`
 */
export async function provisionNew(
  options: Pick<ProvisioningOptions, 'eventlog' | 'random'> & { readonly passwords: Passwords },
  { connector, identity }: NewDevice,
  { type, key: given }: GivenCredential,
) {
  if (type === 'password' && given === undefined) throw invalidField('auth.key', 'must be given')
  const key = given ?? newToken(options.random)
  if (type === 'token') refuseToken(key)
  else refusePassword(key)
  const hash = type === 'token' ? hashToken(key) : await options.passwords.hash(key)
  const credential: NewCredential = { authType: type, hash }
  const activation: Activation = { connector, identity, connection, credential }
  const step = { connectorId: connector.id, identity, registers: false, ip: null }
  async function first(transaction: Transaction, nowUs: number): Promise<void> {
    if (type === 'token' && (await isTokenTaken(transaction, hash))) throw tokenTaken()
    const steps = [{ ...step, credential: { ...credential, plain: false } }]
    const [row] = await provisionIdentities(transaction, nowUs, steps, 'waited for')
    if (row === undefined) throw invalidField('auth.key', 'needs an identity that is not locked')
    await options.eventlog.appendIn(transaction, [provisionedEntry(activation, nowUs)])
    const initial = await initialValueEntries(transaction, [activation], nowUs)
    await options.eventlog.appendIn(transaction, initial)
  }
  return { key, first }
}

/** The refusal of a token that a device has; of two at once the index refuses the second. */
export function tokenTaken(): Fault {
  return new Fault('already_exists', 'a device has the token already')
}

function refuseToken(token: string): void {
  if (!/^[A-Za-z0-9]+$/.test(token) || token.length !== limits.tokenChars) {
    throw invalidField('auth.key', `must be ${limits.tokenChars} letters and digits`)
  }
}

function refusePassword(password: string): void {
  const refusal = refuseText(password, limits.devicePasswordBytesMax)
  if (refusal !== undefined) throw invalidField('auth.key', refusal)
  const bytes = Buffer.byteLength(password)
  if (bytes < provisioningLimits.devicePasswordBytesMin || bytes > limits.devicePasswordBytesMax) {
    const { devicePasswordBytesMin: least } = provisioningLimits
    const range = `${least} to ${limits.devicePasswordBytesMax} bytes`
    throw invalidField('auth.key', `must have ${range}`)
  }
}
