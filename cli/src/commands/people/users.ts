import type { components } from '@millrace/client'
import type { Call } from '../../call.ts'
import { command, UsageError } from '../../command.ts'
import { list, type OptionWords, operation } from '../../operation.ts'
import { columns } from '../../output/output.ts'
import { groupOption, newUser, passwordOption } from '../options.ts'
import { endedLines } from './roles.ts'

/** The user of an e-mail address. */
const emailOption = {
  meaning: "The user's e-mail address.",
  as: 'user',
  read: (_option, email, { call }) => findUserId(call, email),
  calls: 'listUsers',
} as const satisfies OptionWords

const otherOption = {
  meaning: 'The e-mail address of another user; default: your own sessions.',
} as const

/** The commands of users and of their sessions. */
export const commands = {
  'user list': list('listUsers', 'users', {
    summary: 'Print the users of a business, with their roles.',
    row: ({ id, role, email }) => [id, role, email],
    example: 'npx millrace user list',
  }),
  'user show': operation('getUser', {
    summary: 'Print a user, with the role and the groups.',
    options: { email: emailOption },
    lines: (user) => columns(toRows(user)),
    example: `${newUser('una')}npx millrace user show --email una@example.com`,
  }),
  'user create': operation('createUser', {
    summary: 'Create a user of a business, and print its id.',
    options: {
      email: "The user's e-mail address.",
      role: { meaning: 'The name of a role; see millrace role list.', default: 'Viewer' },
      name: 'The name of the person.',
      group: groupOption,
      'password-file': passwordOption,
    },
    lines: ({ id }) => [id],
    example:
      `echo 'a long phrase' | npx millrace user create --email ann@example.com --role Viewer ` +
      '--password-file -',
  }),
  'user change': operation('changeUser', {
    summary: 'Change the name, the role or the groups of a user.',
    options: {
      email: emailOption,
      name: 'Another name of the person.',
      role: 'The name of another role.',
      group: groupOption,
      'all-groups': {
        as: 'groups',
        flag: true,
        read: () => null,
        meaning: 'Let it see the whole business.',
      },
    },
    lines: (user) => [...columns(toRows(user)), ...endedLines(user.ended)],
    example: `${newUser('eva')}npx millrace user change --email eva@example.com --role Operator`,
  }),
  'user password': operation('setUserPassword', {
    summary: 'Set the password of a user, and end its sessions.',
    options: { email: emailOption, 'password-file': passwordOption },
    done: 'the password of {email} is set, and its sessions have ended',
    example:
      `${newUser('kim')}echo 'another phrase' | ` +
      'npx millrace user password --email kim@example.com --password-file -',
  }),
  'user unlock': operation('unlockUser', {
    summary: 'End the lock of a user after failed sign-ins.',
    options: { email: emailOption },
    done: '{email} may sign in again',
    example: `${newUser('liv')}npx millrace user unlock --email liv@example.com`,
  }),
  'user delete': operation('deleteUser', {
    summary: 'Delete a user, and end its sessions.',
    options: { email: emailOption },
    preview: 'getUserDependants',
    confirm: 'Delete the user {email}?',
    done: 'the user {email} is deleted',
    example: `${newUser('tim')}npx millrace user delete --email tim@example.com --yes`,
  }),
  'user totp-remove': operation('removeUserTotp', {
    summary: 'Remove the second step of a user, who has lost the app and the recovery codes.',
    options: { email: emailOption },
    confirm: 'Remove the second step of {email}?',
    done: 'the sign-ins of {email} have one step again',
    example: 'npx millrace user totp-remove --email ann@example.com --yes',
  }),
  'session list': command('Print open sessions, newest first.', {
    options: { email: otherOption },
    example: `${newUser('jo')}npx millrace session list --email jo@example.com`,
    routes: ['listSessions', 'listUsers', 'listUserSessions'],
    async run({ email }, { call, out }) {
      const { sessions } =
        email === undefined
          ? await call('listSessions')
          : await call('listUserSessions', { user: await findUserId(call, email) })
      out.show(sessions, () => columns(sessions.map(sessionRow)))
    },
  }),
  'session end': command('End one session, or all.', {
    options: {
      email: otherOption,
      id: { meaning: 'The id of a session; see millrace session list.' },
      all: { meaning: 'Apply to all of them.', flag: true },
    },
    example: `${newUser('al')}npx millrace session end --all --email al@example.com`,
    routes: ['endSession', 'endSessions', 'listUsers', 'endUserSession', 'endUserSessions'],
    async run({ email, id: session, all }, { call, out }) {
      if ((session !== undefined) === all) throw new UsageError('give either --id or --all')
      const user = email === undefined ? undefined : await findUserId(call, email)
      if (user === undefined) {
        await (session === undefined ? call('endSessions') : call('endSession', { session }))
      } else if (session === undefined) await call('endUserSessions', { user })
      else await call('endUserSession', { user, session })
      out.print(all ? 'the sessions have ended' : `the session ${session} has ended`)
    },
  }),
}

const timeOrNull = (ms: number | null) => (ms === null ? undefined : new Date(ms).toISOString())

function toRows(user: components['schemas']['User']): string[][] {
  const until = timeOrNull(user.locked_until)
  return [
    ['id', user.id],
    ['email', user.email],
    ['name', user.name],
    ['role', user.role],
    ['groups', user.groups?.join(', ') ?? 'the whole business'],
    ['second step', user.totp ? 'yes' : 'no'],
    ['last sign-in', timeOrNull(user.last_sign_in_at) ?? 'none known'],
    ['sign-in', until === undefined ? 'open' : `locked until ${until}`],
  ]
}

function sessionRow(session: components['schemas']['Session']): string[] {
  const { id, created_at: created, last_used_at: last, address, method } = session
  const used = timeOrNull(last)
  const began = new Date(created).toISOString()
  const lastUse = used === undefined ? 'not used' : `used ${used}`
  return [id, began, lastUse, address, method, session.user_agent]
}

/** The id of a user. @throws UsageError if the business has no such user. */
async function findUserId(call: Call, email: string): Promise<string> {
  const { users } = await call('listUsers')
  const user = users.find((one) => one.email.toLowerCase() === email.toLowerCase())
  if (user === undefined) throw new UsageError(`there is no user ${email}: see millrace user list`)
  return user.id
}
