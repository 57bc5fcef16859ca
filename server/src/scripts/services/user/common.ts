import type { Database, Transaction } from '../../../foundation/database/index.ts'
import { type Clock, Fault, type Passwords, type Random } from '../../../foundation/kernel/index.ts'
import type { ScriptingApi, ServiceCall } from '../../scripting/index.ts'

export type UserOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly passwords: Passwords
  readonly scripts: Pick<ScriptingApi, 'deliveries' | 'takes'>
}

export const accountEvent = 'account'

/** Calls the handler `user_account` of the solution, if it has one, after the COMMIT. */
export async function raiseAccountEvent(
  { scripts }: Pick<UserOptions, 'scripts'>,
  transaction: Transaction,
  { businessId, solutionId, alias, trackingId, depth }: ServiceCall,
  type: 'CREATE' | 'UPDATE' | 'DELETE',
  { id, email }: { readonly id: number; readonly email: string },
): Promise<void> {
  if (!(await scripts.takes(businessId, solutionId, alias, accountEvent))) return
  const origin = { callerId: solutionId, trackingId, depth: depth + 1 }
  const handler = { businessId, solutionId, service: alias, event: accountEvent }
  await scripts.deliveries.addIn(transaction, [
    { ...handler, argument: { type, id, email }, ...origin },
  ])
}

/** The result of a write. */
export const written = { status: 204 } as const

export function unknownUser(): Fault {
  return new Fault('not_found', 'the solution has no such user')
}
