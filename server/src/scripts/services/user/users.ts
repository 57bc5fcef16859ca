import { searchPattern, type Transaction } from '../../../foundation/database/index.ts'
import {
  type Clock,
  createFailureLimiter,
  type FailureLimiter,
  Fault,
  hashToken,
  type Implementation,
  limits,
  newToken,
  omitUndefined,
} from '../../../foundation/kernel/index.ts'
import type { ServiceCall } from '../../scripting/index.ts'
import { raiseAccountEvent, type UserOptions, unknownUser, written } from './common.ts'
import { solutionUserLimits } from './limits.ts'
import type { UserSchemas } from './operations.ts'
import { addToken, deleteToken, deleteTokens } from './store/tokens.ts'
import {
  activate,
  changeUser,
  countUsers,
  deleteUser,
  findByEmail,
  findByToken,
  findUser,
  insertUser,
  listUsers,
  resetByCode,
  type SolutionUserRow,
  setResetCode,
  takeId,
  type UserFilter,
} from './store/users.ts'

type Operations = Implementation<ServiceCall, UserSchemas>

const secondUs = 1_000_000
const hourUs = 3_600 * secondUs
/**
 * The life of a user: signed up (status 0) with a code that works once and for a time; active (1)
 * by the code; any other status, which the solution sets, keeps the user out. A new password and
 * any status but 1 end the tokens.
 */
export function userOperations(
  options: UserOptions,
): Pick<Operations, 'createUser' | 'activateUser' | 'updateUser' | 'deleteUser'> {
  const { database, clock, random, passwords } = options
  return {
    async createUser(call, { email, password, name = '' }) {
      const { solutionId } = call
      const emailKey = normalizeEmail(email)
      if ((await findByEmail(database, solutionId, emailKey)) !== undefined) throw emailTaken()
      const code = newToken(random)
      const nowUs = clock.nowUs()
      const user = {
        email,
        emailKey,
        name,
        at: nowUs,
        passwordHash: await passwords.hash(password),
        activationHash: hashToken(code),
        activationUntil: nowUs + solutionUserLimits.solutionActivationHours * hourUs,
      }
      await database.transaction(async (transaction) => {
        const id = await takeId(transaction, solutionId, solutionUserLimits.solutionUsersMax)
        if (id === undefined) {
          throw new Fault(
            'too_large',
            `a solution has at most ${solutionUserLimits.solutionUsersMax} users`,
          )
        }
        if (!(await insertUser(transaction, solutionId, id, user))) throw emailTaken()
        await raiseAccountEvent(options, transaction, call, 'CREATE', { id, email })
      })
      return code
    },
    async activateUser(call, { code }) {
      await database.transaction(async (transaction) => {
        const nowUs = clock.nowUs()
        const user = await activate(transaction, call.solutionId, hashToken(code), nowUs)
        if (user === undefined) throw unknownCode()
        await raiseAccountEvent(options, transaction, call, 'UPDATE', user)
      })
      return 'OK'
    },
    async updateUser(call, { id, password, original_password: original, ...part }) {
      const { solutionId } = call
      if (password !== undefined) await provePassword(options, call, id, original)
      const passwordHash = password === undefined ? undefined : await passwords.hash(password)
      const emailKey = part.email === undefined ? undefined : normalizeEmail(part.email)
      await database.transaction(async (transaction) => {
        if (emailKey !== undefined) await refuseTaken(transaction, solutionId, id, emailKey)
        const change = omitUndefined({ ...part, emailKey, passwordHash })
        const user = await changeUser(transaction, solutionId, id, change)
        if (user === undefined) throw unknownUser()
        if (passwordHash !== undefined || user.status !== 1) {
          await deleteTokens(transaction, solutionId, id)
        }
        await raiseAccountEvent(options, transaction, call, 'UPDATE', user)
      })
      return written
    },
    async deleteUser(call, { id }) {
      await database.transaction(async (transaction) => {
        const user = await deleteUser(transaction, call.solutionId, id)
        if (user === undefined) throw unknownUser()
        await raiseAccountEvent(options, transaction, call, 'DELETE', user)
      })
      return written
    },
  }
}

/** The operations that read users. */
export function userReads({
  database,
  clock,
}: UserOptions): Pick<Operations, 'getUser' | 'getCurrentUser' | 'listUsers'> {
  return {
    async getUser({ solutionId }, { id }) {
      const user = await findUser(database, solutionId, id)
      if (user === undefined) throw unknownUser()
      return shown(user)
    },
    async getCurrentUser({ solutionId }, { token }) {
      const user = await findByToken(database, solutionId, hashToken(token), clock.nowUs())
      if (user === undefined) throw new Fault('unknown_credential', 'the token is not valid')
      return shown(user)
    },
    async listUsers({ solutionId }, { filter = [], limit, offset }) {
      const filters = filter.map(parseFilter)
      const users = await listUsers(database, solutionId, { filters, limit, offset })
      const total = await countUsers(database, solutionId, filters)
      return { items: users.map(shown), total }
    },
  }
}

/** Signing in, and passwords that were forgotten. */
export function sessionOperations(
  options: UserOptions,
): Pick<
  Operations,
  'getUserToken' | 'deleteUserToken' | 'requestPasswordReset' | 'resetUserPassword'
> {
  const { database, clock, random, passwords } = options
  const limited = createLimiter(clock)
  return {
    async getUserToken({ solutionId }, { email, password, time_to_live: seconds }) {
      const emailKey = normalizeEmail(email)
      const user = await findByEmail(database, solutionId, emailKey)
      const isRight = await limited(`${solutionId}\0${emailKey}`, () =>
        passwords.verify(password, user?.password_hash),
      )
      if (user === undefined || !isRight) {
        throw new Fault('unknown_credential', 'the e-mail address or the password is wrong')
      }
      if (user.status !== 1) throw new Fault('forbidden', 'the user is not active')
      const token = newToken(random)
      const isKept = await database.transaction((transaction) =>
        addToken(transaction, solutionId, {
          tokenHash: hashToken(token),
          userId: user.id,
          passwordHash: user.password_hash,
          expiresAt: clock.nowUs() + seconds * secondUs,
          keep: solutionUserLimits.solutionTokensPerUserMax,
        }),
      )
      if (!isKept) throw new Fault('unknown_credential', 'the password has changed meanwhile')
      return token
    },
    async deleteUserToken({ solutionId }, { token }) {
      await deleteToken(database, solutionId, hashToken(token))
      return written
    },
    async requestPasswordReset({ solutionId }, { email }) {
      const code = newToken(random)
      const until = clock.nowUs() + solutionUserLimits.solutionResetHours * hourUs
      const reset = { codeHash: hashToken(code), until }
      if (await setResetCode(database, solutionId, normalizeEmail(email), reset)) return code
      throw unknownUser()
    },
    async resetUserPassword(call, { id, code, password }) {
      if ((id === undefined) === (code === undefined)) {
        throw new Fault('invalid_argument', 'either id or code must be given')
      }
      const { solutionId } = call
      const passwordHash = await passwords.hash(password)
      await database.transaction(async (transaction) => {
        const user =
          id === undefined
            ? await resetByCode(transaction, solutionId, {
                codeHash: hashToken(code ?? ''),
                nowUs: clock.nowUs(),
                passwordHash,
              })
            : await changeUser(transaction, solutionId, id, { passwordHash })
        if (user === undefined) throw id === undefined ? unknownCode() : unknownUser()
        await deleteTokens(transaction, solutionId, user.id)
        await raiseAccountEvent(options, transaction, call, 'UPDATE', user)
      })
      return written
    },
  }
}

/** An address that has failed too often waits, whether there is such a user or not. */
function createLimiter(clock: Clock): FailureLimiter {
  return createFailureLimiter({
    clock,
    failuresMax: solutionUserLimits.solutionSignInFailuresMax,
    keysMax: limits.signInsRememberedMax,
    refusal: () =>
      new Fault('too_many_requests', 'too many wrong passwords for this e-mail address', {
        retryAfterS: 60,
      }),
    onReached: () => {},
  })
}

/** @throws Fault unknown_credential unless the password of before was given. */
async function provePassword(
  { database, passwords }: UserOptions,
  { solutionId }: ServiceCall,
  id: number,
  original: string | undefined,
): Promise<void> {
  if (original === undefined) {
    throw new Fault('invalid_argument', 'original_password must be given beside password')
  }
  const user = await findUser(database, solutionId, id)
  if (user === undefined) throw unknownUser()
  if (await passwords.verify(original, user.password_hash)) return
  throw new Fault('unknown_credential', 'the original password is wrong')
}

async function refuseTaken(
  transaction: Transaction,
  solutionId: string,
  id: number,
  emailKey: string,
): Promise<void> {
  const other = await findByEmail(transaction, solutionId, emailKey)
  if (other !== undefined && other.id !== id) throw emailTaken()
}

function shown({ id, email, name, status, created_at: createdAt }: SolutionUserRow) {
  return { id, email, name, status, creation_date: Math.floor(createdAt / secondUs) }
}

/**
 * Parses `<field>::<operator>::<value>`.
 * @throws Fault invalid_argument
 */
function parseFilter(text: string): UserFilter {
  const [, field, operator, value] = /^(id|email|name|status)::(eq|like)::(.*)$/su.exec(text) ?? []
  if (field === undefined || value === undefined || value.includes('\0')) {
    throw new Fault(
      'invalid_argument',
      'filter must be <field>::<operator>::<value>: id, email, name or status; eq or like',
    )
  }
  const plain = field === 'email' ? normalizeEmail(value) : value
  const isLike = operator === 'like'
  return {
    field: field as UserFilter['field'],
    operator: isLike ? 'like' : 'eq',
    value: isLike ? searchPattern(plain) : plain,
  }
}

/** Addresses that differ in their letter case are the same. */
function normalizeEmail(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

function emailTaken(): Fault {
  return new Fault('invalid_argument', 'a user has this e-mail address already')
}

function unknownCode(): Fault {
  return new Fault('not_found', 'the code is unknown or has expired')
}
