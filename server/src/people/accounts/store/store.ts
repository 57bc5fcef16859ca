import type { Database } from '../../../foundation/database/index.ts'
import { attemptStore, familiarStore, lockStore } from './attempts.ts'
import { auditStore } from './audit.ts'
import { businessStore, roleStore } from './businesses.ts'
import { acceptanceStore, invitationStore } from './invitations.ts'
import { oidcStore } from './oidc.ts'
import { preferenceStore } from './preferences.ts'
import { recoveryStore } from './recovery.ts'
import { removalStore } from './removal.ts'
import { sessionListStore, sessionStore } from './sessions.ts'
import { tokenStore } from './tokens.ts'
import { recoveryCodeStore, totpStore } from './totp.ts'
import { credentialStore, groupUserStore, userStore } from './users.ts'

/**
 * The SQL of this module. Times are milliseconds. A write returns the number of its rows, unless it
 * says otherwise.
 */
export function createStore(database: Database) {
  return {
    ...businessStore(database),
    ...roleStore(database),
    ...userStore(database),
    ...credentialStore(database),
    ...groupUserStore(database),
    ...sessionStore(database),
    ...sessionListStore(database),
    ...tokenStore(database),
    ...invitationStore(database),
    ...acceptanceStore(database),
    ...recoveryStore(database),
    ...oidcStore(database),
    ...auditStore(database),
    ...attemptStore(database),
    ...totpStore(database),
    ...recoveryCodeStore(database),
    ...preferenceStore(database),
    ...lockStore(database),
    ...familiarStore(database),
    ...removalStore(database),
  }
}

export type Store = ReturnType<typeof createStore>
