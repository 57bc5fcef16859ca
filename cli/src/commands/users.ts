import { type MillraceClient, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../command.ts'
import { askNewSecret, readSecret } from '../input.ts'
import { columns } from '../output/output.ts'

const emailOption = { meaning: "The user's e-mail address.", required: true } as const
const passwordOption = {
  meaning: 'A file with the password; - is the standard input. Default: a prompt.',
} as const

function passwordOf(file: string | undefined): Promise<string> {
  return file === undefined
    ? askNewSecret('password-file', 'Password')
    : readSecret('password-file', file)
}

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
    role: { meaning: 'Administrator, Operator or Viewer.', default: 'Viewer' },
    'password-file': passwordOption,
  },
  example:
    `echo 'a long phrase' | npx millrace user create --email ann@example.com --role Viewer ` +
    '--password-file -',
  routes: ['createUser'],
  async run({ email, role, 'password-file': file }, { client, out }) {
    const api = await client()
    const password = await passwordOf(file)
    const user = await unwrap(api.POST('/api:1/users', { body: { email, role, password } }))
    out.show(user, () => [user.id])
    return undefined
  },
})

export const userPassword = defineCommand({
  options: { email: emailOption, 'password-file': passwordOption },
  example:
    `echo 'a long phrase' | npx millrace user create --email kim@example.com --password-file - && ` +
    `echo 'another phrase' | npx millrace user password --email kim@example.com --password-file -`,
  routes: ['listUsers', 'setUserPassword'],
  async run({ email, 'password-file': file }, { client, out }) {
    const api = await client()
    const user = await idOf(api, email)
    const body = { password: await passwordOf(file) }
    const params = { path: { user } }
    await unwrap(api.PUT('/api:1/users/{user}/password', { params, body }))
    out.print(`the password of ${email} is set, and its sessions have ended`)
    return undefined
  },
})

export const userDelete = defineCommand({
  options: { email: emailOption },
  example:
    `echo 'a long phrase' | npx millrace user create --email tim@example.com --password-file - && ` +
    'npx millrace user delete --email tim@example.com --yes',
  routes: ['listUsers', 'deleteUser'],
  async run({ email }, { client, out, confirm }) {
    const api = await client()
    const user = await idOf(api, email)
    await confirm(`Delete the user ${email}?`)
    await unwrap(api.DELETE('/api:1/users/{user}', { params: { path: { user } } }))
    out.print(`the user ${email} is deleted`)
    return undefined
  },
})

/** @throws UsageError if the business has no such user. */
async function idOf(api: MillraceClient, email: string): Promise<string> {
  const { users } = await unwrap(api.GET('/api:1/users'))
  const user = users.find((one) => one.email.toLowerCase() === email.toLowerCase())
  if (user === undefined) throw new UsageError(`there is no user ${email}: see millrace user list`)
  return user.id
}
