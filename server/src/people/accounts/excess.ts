import type { Transaction } from '../../foundation/database/index.ts'
import type { AuditNote } from './audit.ts'
import { knownPermissions, type Principal } from './permissions.ts'
import { isWithin } from './rights.ts'
import type { EndedNames } from './schema.ts'
import { type MadeByUser, madeByUsers, removeMade } from './store/removal.ts'

/** The permissions and groups that a user may give to others. */
type Allowed = {
  readonly permissions: readonly string[]
  /** The ids of all groups that they see; null: the whole business. */
  readonly within: readonly string[] | null
}

/**
 * Ends the API tokens and invitations of users who could not give them any more, so that nobody
 * comes back by them to what a demotion took.
 */
export async function endExcess(
  transaction: Transaction,
  businessId: string,
  userIds: readonly string[],
  allowed: Allowed,
): Promise<MadeByUser[]> {
  const permitted = knownPermissions(allowed.permissions)
  const made = await madeByUsers(transaction, businessId, userIds)
  const excess = made.filter(({ permissions, groups }) => {
    return !knownPermissions(permissions).isSubsetOf(permitted) || !isWithin(allowed.within, groups)
  })
  await removeMade(transaction, businessId, excess)
  return excess
}

/** Notes each of them in the audit log, once it is committed. */
export async function noteEnded(
  note: AuditNote,
  by: Principal,
  ended: readonly MadeByUser[],
): Promise<void> {
  for (const { kind, name: target } of ended) {
    const action = kind === 'token' ? 'deleteApiToken' : 'revokeInvitation'
    await note({ by, source: 'management', action, target }, async () => undefined)
  }
}

export function toEndedNames(ended: readonly MadeByUser[]): EndedNames {
  const names = (wanted: MadeByUser['kind']) =>
    ended.filter(({ kind }) => kind === wanted).map(({ name }) => name)
  return { tokens: names('token'), invitations: names('invitation') }
}
