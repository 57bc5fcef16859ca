import { type components, type MillraceClient, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { columns } from '../../output/output.ts'
import { deletionOptions, showPreview } from '../../output/preview.ts'
import { endedLines } from './roles.ts'

const emailOption = { meaning: "The user's e-mail address.", required: true } as const
const passwordOption = {
  meaning: 'A file with the password; - is the standard input. Default: a prompt.',
} as const

const groupOption = {
  meaning: 'The id of a group that it sees, with all below; may be given several times.',
  many: true,
} as const

export const userList = defineCommand({
  options: {},
  example: 'npx millrace user list',
  routes: ['listUsers'],
  async run(_values, { client, out }) {
    const api = await client()
    const { users } = await unwrap(api.GET('/api:1/users'))
    out.show(users, () => columns(users.map(({ id, role, email }) => [id, role, email])))
    return undefined
  },
})

export const userCreate = defineCommand({
  options: {
    email: emailOption,
    role: { meaning: 'The name of a role; see millrace role list.', default: 'Viewer' },
    name: { meaning: 'The name of the person.' },
    group: groupOption,
    'password-file': passwordOption,
  },
  example:
    `echo 'a long phrase' | npx millrace user create --email ann@example.com --role Viewer ` +
    '--password-file -',
  routes: ['createUser'],
  async run({ email, role, name, group, 'password-file': file }, { client, input, out }) {
    const api = await client()
    const password = await input.newSecretOf('password-file', file, 'Password')
    const body = {
      email,
      role,
      password,
      ...(name !== undefined && { name }),
      ...(group.length > 0 && { groups: [...group] }),
    }
    const user = await unwrap(api.POST('/api:1/users', { body }))
    out.show(user, () => [user.id])
    return undefined
  },
})

export const userShow = defineCommand({
  options: { email: emailOption },
  example:
    `echo 'a long phrase' | npx millrace user create --email una@example.com --password-file - && ` +
    'npx millrace user show --email una@example.com',
  routes: ['listUsers', 'getUser'],
  async run({ email }, { client, out }) {
    const api = await client()
    const params = { path: { user: await idOf(api, email) } }
    const user = await unwrap(api.GET('/api:1/users/{user}', { params }))
    out.show(user, () => columns(rowsOf(user)))
    return undefined
  },
})

function rowsOf({
  id,
  email,
  name,
  role,
  groups,
  totp,
  last_sign_in_at: last,
  locked_until: until,
}: components['schemas']['User']): string[][] {
  return [
    ['id', id],
    ['email', email],
    ['name', name],
    ['role', role],
    ['groups', groups?.join(', ') ?? 'the whole business'],
    ['second step', totp ? 'yes' : 'no'],
    ['last sign-in', last === null ? 'none known' : new Date(last).toISOString()],
    ['sign-in', until === null ? 'open' : `locked until ${new Date(until).toISOString()}`],
  ]
}

export const userChange = defineCommand({
  options: {
    email: emailOption,
    name: { meaning: 'Another name of the person.' },
    role: { meaning: 'The name of another role.' },
    group: groupOption,
    'all-groups': { meaning: 'It sees the whole business.', flag: true },
  },
  example:
    `echo 'a long phrase' | npx millrace user create --email eva@example.com --password-file - && ` +
    'npx millrace user change --email eva@example.com --role Operator',
  routes: ['listUsers', 'changeUser'],
  async run({ email, name, role, group, 'all-groups': all }, { client, out }) {
    const api = await client()
    const params = { path: { user: await idOf(api, email) } }
    const body = {
      ...(name !== undefined && { name }),
      ...(role !== undefined && { role }),
      ...(group.length > 0 && { groups: [...group] }),
      ...(all && { groups: null }),
    }
    const user = await unwrap(api.PATCH('/api:1/users/{user}', { params, body }))
    out.show(user, () => [...columns(rowsOf(user)), ...endedLines(user.ended)])
    return undefined
  },
})

export const userPassword = defineCommand({
  options: { email: emailOption, 'password-file': passwordOption },
  example:
    `echo 'a long phrase' | npx millrace user create --email kim@example.com --password-file - && ` +
    `echo 'another phrase' | npx millrace user password --email kim@example.com --password-file -`,
  routes: ['listUsers', 'setUserPassword'],
  async run({ email, 'password-file': file }, { client, input, out }) {
    const api = await client()
    const user = await idOf(api, email)
    const body = { password: await input.newSecretOf('password-file', file, 'Password') }
    const params = { path: { user } }
    await unwrap(api.PUT('/api:1/users/{user}/password', { params, body }))
    out.print(`the password of ${email} is set, and its sessions have ended`)
    return undefined
  },
})

export const userUnlock = defineCommand({
  options: { email: emailOption },
  example:
    `echo 'a long phrase' | npx millrace user create --email liv@example.com --password-file - && ` +
    'npx millrace user unlock --email liv@example.com',
  routes: ['listUsers', 'unlockUser'],
  async run({ email }, { client, out }) {
    const api = await client()
    const params = { path: { user: await idOf(api, email) } }
    await unwrap(api.DELETE('/api:1/users/{user}/lock', { params }))
    out.print(`${email} may sign in again`)
    return undefined
  },
})

export const userDelete = defineCommand({
  options: { email: emailOption, ...deletionOptions },
  example:
    `echo 'a long phrase' | npx millrace user create --email tim@example.com --password-file - && ` +
    'npx millrace user delete --email tim@example.com --yes',
  routes: ['listUsers', 'deleteUser', 'getUserDependants'],
  async run({ email, 'dry-run': dry, confirm: given }, { client, out, confirm }) {
    const api = await client()
    const path = { user: await idOf(api, email) }
    if (dry) {
      showPreview(
        out,
        await unwrap(api.GET('/api:1/users/{user}/dependants', { params: { path } })),
      )
      return undefined
    }
    await confirm(`Delete the user ${email}?`)
    const params = { path, ...(given !== undefined && { query: { confirm: given } }) }
    await unwrap(api.DELETE('/api:1/users/{user}', { params }))
    out.print(`the user ${email} is deleted`)
    return undefined
  },
})

/** The id of a user. @throws UsageError if the business has no such user. */
export async function idOf(api: MillraceClient, email: string): Promise<string> {
  const { users } = await unwrap(api.GET('/api:1/users'))
  const user = users.find((one) => one.email.toLowerCase() === email.toLowerCase())
  if (user === undefined) throw new UsageError(`there is no user ${email}: see millrace user list`)
  return user.id
}
