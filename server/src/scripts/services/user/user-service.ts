import {
  AnyValue,
  createPasswords,
  EmptyObject,
  Fault,
  implement,
  limits,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { Operation, Service } from '../../scripting/index.ts'
import { accountEvent, type UserOptions } from './common.ts'
import { dataOperations } from './data.ts'
import { userOperations as schemas } from './operations.ts'
import { assignmentOperations, assignmentReads, roleOperations } from './roles.ts'
import { sweepTokens } from './store/tokens.ts'
import { removeSolution } from './store/users.ts'
import { sessionOperations, userOperations, userReads } from './users.ts'

export type SolutionUsers = {
  readonly service: Service
  /** Removes tokens that have ended; they are not valid all the same. */
  sweep(): Promise<void>
}

/** The service `user`: the users of a solution, who are nobody to its business. */
export function createUsers(given: Omit<UserOptions, 'passwords'>): SolutionUsers {
  const options: UserOptions = { ...given, passwords: createPasswords(given.random) }
  return {
    service: {
      name: 'user',
      always: true,
      events: [{ name: accountEvent }],
      operation: withoutSocials(
        implement(schemas, {
          ...userOperations(options),
          ...userReads(options),
          ...sessionOperations(options),
          ...dataOperations(options),
          ...roleOperations(options),
          ...assignmentOperations(options),
          ...assignmentReads(options),
        }),
      ),
      removeIn: removeSolution,
    },
    async sweep() {
      const { database, clock } = options
      while (
        (await sweepTokens(database, clock.nowUs(), limits.keystoreSweepRowsMax)) ===
        limits.keystoreSweepRowsMax
      ) {
        // There are more.
      }
    },
  }
}

/**
 * Adds an answer for operations on sign-ins by other providers, whatever their exact names are:
 * scripts of the field call them, and the error names the way to sign in that there is.
 */
function withoutSocials(find: Service['operation']): Service['operation'] {
  return (name) => find(name) ?? (/social/i.test(name) ? refuseSocial(name) : undefined)
}

function refuseSocial(name: string): Operation {
  const sentence =
    `User.${name}: sign-ins by other providers (social logins) are not served; ` +
    'use createUser and getUserToken'
  const refuse = async () => {
    throw new Fault('superseded', sentence)
  }
  const schema = {
    superseded: sentence,
    description: 'Is not served.',
    args: Type.Object({}, { additionalProperties: AnyValue<unknown>() }),
    result: EmptyObject(),
  }
  return Object.assign(refuse, { schema })
}
