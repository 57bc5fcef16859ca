import type { Transaction } from '../../../foundation/database/index.ts'
import { Fault, hashToken, newToken, type Passwords } from '../../../foundation/kernel/index.ts'
import { refusePasswordLength } from '../activation/provision.ts'
import type { ConnectionInfo, Device } from '../device.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import {
  lockRotation,
  type RotationRow,
  readRotation,
  setNextCredential,
} from '../store/rotations.ts'
import { cacheInvalidation, isOpen, isOver, makeEntry, type RotationOptions } from './step.ts'

type FetchOptions = RotationOptions &
  Pick<ProvisioningOptions, 'random'> & { readonly passwords: Passwords }

/**
 * Gives a device that authenticated with its old credential a new token, or stores the new password
 * that it brings, while a rotation is open.
 * @returns the token, empty for a password; undefined if no rotation of such a credential is open.
 * @throws Fault `already_activated` if it was given one a moment ago, or by the operator;
 *   `wrong_method`, `too_large` for the length of a password.
 */
export async function renew(
  options: FetchOptions,
  device: Device,
  connection: ConnectionInfo,
  password: string | undefined,
): Promise<{ token: string } | undefined> {
  if (password === undefined) return fetchToken(options, device, connection)
  return (await bringPassword(options, device, password, connection)) ? { token: '' } : undefined
}

async function fetchToken(
  options: FetchOptions,
  device: Device,
  connection: ConnectionInfo,
): Promise<{ token: string } | undefined> {
  const token = newToken(options.random)
  const taken = await fetchNext(options, device, connection, (row) =>
    row.auth_type === 'token' ? hashToken(token) : undefined,
  )
  return taken ? { token } : undefined
}

/** @returns whether the password was stored. */
async function bringPassword(
  options: FetchOptions,
  device: Device,
  password: string,
  connection: ConnectionInfo,
): Promise<boolean> {
  const { connector, identity } = device
  const row = await readRotation(options.database, connector.id, identity)
  const old = row?.auth_type === 'password' && isOpen(row) ? row.current : null
  // A run of argon2 is for a rotation that is open.
  if (old === null) return false
  refusePasswordLength(password)
  // The password that it has already is no new one.
  if (await options.passwords.verify(password, old)) return false
  const hash = await options.passwords.hash(password)
  return fetchNext(options, device, connection, (now) =>
    now.auth_type === 'password' ? hash : undefined,
  )
}

async function fetchNext(
  options: FetchOptions,
  device: Device,
  connection: ConnectionInfo,
  hashFor: (row: RotationRow) => string | undefined,
): Promise<boolean> {
  const { connector, identity } = device
  const { database, eventlog, revocations, clock } = options
  const written = await database.transaction(async (transaction: Transaction) => {
    const nowUs = clock.nowUs()
    const row = await lockRotation(transaction, connector.id, identity)
    const hash = row && mayFetch(row, device, nowUs) ? hashFor(row) : undefined
    if (row === undefined || hash === undefined) return undefined
    const next = { hash, plain: !connection.encrypted, fetchedAt: nowUs }
    await setNextCredential(transaction, connector.id, identity, next)
    const { ip, protocol } = connection
    const subject = { connector, identity, ip, protocol }
    await eventlog.appendIn(transaction, [makeEntry(subject, nowUs, 'given')])
    return revocations.writeIn(transaction, connector.id, [cacheInvalidation(identity, row)])
  })
  revocations.publish(written)
  return written !== undefined
}

/**
 * A device whose answer was lost asks again, and may: what it was given before is forgotten then.
 * Not at once, so that of several requests at a time one is answered with what counts.
 */
function mayFetch(row: RotationRow, device: Device, nowUs: number): boolean {
  if (!isOpen(row) || isOver(row, nowUs) || row.locked || row.awaits) return false
  if (row.current !== device.credentialHash) return false
  const { next, fetched_at: fetchedAt } = row
  if (next === null) return true
  if (fetchedAt === null) {
    throw new Fault('already_activated', 'The operator gave it a new credential already.')
  }
  if (nowUs - fetchedAt >= provisioningLimits.rotationFetchAgainMs * 1_000) return true
  throw new Fault('already_activated', 'It was given a new credential a moment ago.')
}
