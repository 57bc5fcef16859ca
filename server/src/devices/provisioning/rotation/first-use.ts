import { Fault } from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import { type CachedCredential, credentialHash } from '../credentials/cached-credential.ts'
import type { CredentialUse } from '../device.ts'
import { lockRotation } from '../store/rotations.ts'
import { type RotationOptions, replace } from './step.ts'

/**
 * The first use of a new credential, which ends the one before. If many uses come at once, one
 * takes the step, and all of them go on.
 * @param reread what is known of the identity as the database has it now.
 * @returns what is known of it with the new credential as its only one.
 * @throws Fault `unknown_credential` where the new one was withdrawn; `locked`.
 */
export async function useNext(
  options: RotationOptions,
  known: CachedCredential,
  connector: Connector,
  { ip, protocol }: CredentialUse,
  reread: () => Promise<CachedCredential | undefined>,
): Promise<CachedCredential> {
  const { identity } = known
  const next = credentialHash(known)
  const written = await options.database.transaction(async (transaction) => {
    const row = await lockRotation(transaction, connector.id, identity)
    // The order of an operator that came in between goes first.
    if (row === undefined || row.locked || row.next !== next) return undefined
    return replace(options, transaction, { connector, identity, ip, protocol }, row, next, 'used')
  })
  options.revocations.publish(written)
  const now = await reread()
  // Not a 401: a device that is unlocked goes on with what it has.
  if (now?.locked) throw new Fault('locked')
  if (now === undefined || credentialHash(now) !== next) throw new Fault('unknown_credential')
  return now
}
