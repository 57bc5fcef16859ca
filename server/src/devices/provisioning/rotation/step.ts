import type { Transaction } from '../../../foundation/database/index.ts'
import type { Entry, ProvisionedBody, RotationStep } from '../../../log/eventlog/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Revocations, WrittenRevocations } from '../credentials/revocations.ts'
import type { ProvisioningOptions } from '../options.ts'
import type { Revocation } from '../store/revocations.ts'
import { deleteRotation, type RotationRow, replaceCredential } from '../store/rotations.ts'

/*
 * The rotation of a credential.
 *
 * An operator opens it: the device may have a second credential now, of the method that it has. It
 * fetches a new token or brings a new password itself, with its old one and an activation, or the
 * operator gives it one; a certificate is always given. From then on both work.
 *
 * The first use of the new one ends the old one, with the connections that were made with it. Else
 * the time of the rotation does: from its microsecond on the old one is refused, and the new one
 * works whenever the device comes with it. But where there is no new one when the time is over, the
 * rotation has lapsed and the old one stays: a device that was asleep is not locked out.
 *
 * Kept are the facts; that the time is over is derived from them and the clock in authorizer.ts.
 * The sweep that follows writes down what it meant: then the new one is the device's only one.
 */

/** The dependencies of the steps of rotations. */
export type RotationOptions = Pick<ProvisioningOptions, 'database' | 'eventlog' | 'clock'> & {
  readonly revocations: Pick<Revocations, 'writeIn' | 'publish'>
}

/** The identity of a rotation, and the connection of the device that takes the step. */
export type RotationSubject = {
  readonly connector: Connector
  readonly identity: string
  readonly ip?: string | undefined
  readonly protocol?: string | undefined
}

export type OpenRotation = RotationRow & { readonly until: number }

export function isOpen(row: RotationRow): row is OpenRotation {
  return row.until !== null
}

export function isOver({ until }: OpenRotation, nowUs: number): boolean {
  return nowUs >= until
}

export function makeEntry(
  { connector: { id: connectorId, businessId }, identity, ip = '', protocol = '' }: RotationSubject,
  at: number,
  rotation: RotationStep,
): Entry {
  const body: ProvisionedBody = { ip, protocol, rotation }
  return { businessId, connectorId, identity, kind: 'provisioned', at, body }
}

/**
 * Makes the new credential the only one, and ends what is open with the one before.
 * @returns the revocations to publish; undefined if another transaction was faster.
 */
export async function replace(
  { eventlog, clock, revocations }: RotationOptions,
  transaction: Transaction,
  subject: RotationSubject,
  row: RotationRow,
  next: string,
  step: 'used' | 'ended',
): Promise<WrittenRevocations | undefined> {
  const { connector, identity } = subject
  if (!(await replaceCredential(transaction, connector.id, identity, next))) return undefined
  await deleteRotation(transaction, connector.id, identity)
  await eventlog.appendIn(transaction, [makeEntry(subject, clock.nowUs(), step)])
  const code = step === 'used' ? 'credential_replaced' : 'unknown_credential'
  const withdrawal = { identity, credential: row.current, code, spares: next } as const
  return revocations.writeIn(transaction, connector.id, [withdrawal])
}

/** Makes every process read the credentials of an identity again. */
export function cacheInvalidation(identity: string, row: RotationRow): Revocation {
  return { identity, credential: row.current, code: null, spares: row.next }
}

/** Ends a rotation whose time is over. @returns the revocations to publish. */
export async function finish(
  options: RotationOptions,
  transaction: Transaction,
  subject: RotationSubject,
  row: RotationRow,
): Promise<WrittenRevocations | undefined> {
  const { connector, identity } = subject
  if (row.next !== null && !row.awaits) {
    return replace(options, transaction, subject, row, row.next, 'ended')
  }
  await deleteRotation(transaction, connector.id, identity)
  if (isOpen(row)) {
    const entry = makeEntry(subject, options.clock.nowUs(), 'lapsed')
    await options.eventlog.appendIn(transaction, [entry])
  }
  return undefined
}
