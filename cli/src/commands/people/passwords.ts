import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import type { Input } from '../../input.ts'
import { lastLink } from './mails.ts'

const newPasswordOption = {
  meaning: 'A file with the new password; - is the standard input. Default: a prompt.',
} as const

const newPasswordOf = (input: Input, file: string | undefined) =>
  input.newSecretOf('password-file', file, 'New password')

export const passwordChange = defineCommand({
  options: {
    'present-file': {
      meaning: 'A file with the password until now; - is the standard input. Default: a prompt.',
    },
    'password-file': newPasswordOption,
  },
  example: 'npx millrace password change',
  routes: ['changePassword'],
  async run({ 'present-file': presentFile, 'password-file': file }, { client, input, out }) {
    const api = await client()
    const present = await input.secretOf('present-file', presentFile, 'Present password')
    const body = { present, password: await newPasswordOf(input, file) }
    await unwrap(api.PUT('/api:1/password', { body }))
    out.print('your password is changed, and your sessions have ended: log in again')
    return undefined
  },
})

export const passwordRequest = defineCommand({
  options: { email: { meaning: "The user's e-mail address.", required: true } },
  operand: 'email',
  example:
    `echo 'a long phrase' | npx millrace user create --email ivy@example.com --password-file - && ` +
    'npx millrace password request ivy@example.com',
  routes: ['requestPasswordReset'],
  async run({ email }, { client, out }) {
    const api = await client()
    await unwrap(api.POST('/api:1/password-resets', { body: { email } }))
    out.print(`if there is a user ${email}, a mail with a link is on its way`)
    return undefined
  },
})

export const passwordReset = defineCommand({
  options: {
    'token-file': {
      meaning: 'A file with what the link of the mail has behind #reset=; it is valid once.',
      required: true,
    },
    'password-file': newPasswordOption,
  },
  example:
    `echo 'a long phrase' | npx millrace user create --email ira@example.com --password-file - && ` +
    `npx millrace password request ira@example.com && ${lastLink('reset')} > reset.txt && ` +
    "echo 'another phrase' | npx millrace password reset --token-file reset.txt --password-file -",
  routes: ['resetPassword'],
  async run({ 'token-file': link, 'password-file': file }, { client, input, out }) {
    const api = await client()
    const token = await input.readSecret('token-file', link)
    const body = { token, password: await newPasswordOf(input, file) }
    await unwrap(api.PUT('/api:1/password-resets', { body }))
    out.print('the password is set, and all sessions of the user have ended')
    return undefined
  },
})
