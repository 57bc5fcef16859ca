import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import type { Input } from '../../input.ts'
import { columns } from '../../output/output.ts'
import { idOf } from './users.ts'

const codeOption = {
  meaning: 'A file with a code of the app, or a recovery code; - is the standard input.',
} as const
const passwordOption = {
  meaning: 'A file with your password; - is the standard input. Default: a prompt.',
} as const

/** The code in the file of `--code-file`, or typed. */
export function codeOf(input: Input, file: string | undefined): Promise<string> {
  return input.secretOf('code-file', file, 'Code')
}

/** Lines that show what an app needs. */
export function enrolmentLines({ secret, uri }: { secret: string; uri: string }): string[] {
  return [`secret: ${secret}`, `link:   ${uri}`]
}

/** Lines that show recovery codes, which cannot be shown again. */
export function recoveryLines(codes: readonly string[]): string[] {
  return [
    'recovery codes, each taken once in place of the app; they are not shown again:',
    ...codes,
  ]
}

export const totpShow = defineCommand({
  options: {},
  example: 'npx millrace totp show',
  routes: ['getTotp'],
  async run(_values, { client, out }) {
    const api = await client()
    const totp = await unwrap(api.GET('/api:1/totp'))
    out.show(totp, () =>
      columns([
        ['second step', totp.enabled ? 'yes' : 'no'],
        ['recovery codes left', `${totp.recovery_codes_left}`],
        ['demanded by the business', totp.demanded ? 'yes' : 'no'],
      ]),
    )
    return undefined
  },
})

export const totpBegin = defineCommand({
  options: { 'password-file': passwordOption },
  example: `echo 'a long phrase' | npx millrace totp begin --password-file -`,
  routes: ['beginTotp'],
  async run({ 'password-file': file }, { client, input, out }) {
    const api = await client()
    const password = await input.secretOf('password-file', file, 'Password')
    const begun = await unwrap(api.POST('/api:1/totp', { body: { password } }))
    out.show(begun, () => [
      ...enrolmentLines(begun),
      'add it to your app, then: millrace totp confirm',
    ])
    return undefined
  },
})

export const totpConfirm = defineCommand({
  options: { 'code-file': codeOption },
  example: 'echo 123456 | npx millrace totp confirm --code-file -',
  routes: ['confirmTotp'],
  async run({ 'code-file': file }, { client, input, out }) {
    const api = await client()
    const body = { code: await codeOf(input, file) }
    const confirmed = await unwrap(api.PUT('/api:1/totp', { body }))
    out.show(confirmed, () => recoveryLines(confirmed.recovery_codes))
    return undefined
  },
})

export const totpCodes = defineCommand({
  options: { 'code-file': codeOption },
  example: 'echo 123456 | npx millrace totp codes --code-file -',
  routes: ['renewRecoveryCodes'],
  async run({ 'code-file': file }, { client, input, out }) {
    const api = await client()
    const body = { code: await codeOf(input, file) }
    const renewed = await unwrap(api.POST('/api:1/totp/recovery-codes', { body }))
    out.show(renewed, () => recoveryLines(renewed.recovery_codes))
    return undefined
  },
})

export const totpRemove = defineCommand({
  options: { 'code-file': codeOption },
  example: 'echo 123456 | npx millrace totp remove --code-file -',
  routes: ['removeTotp'],
  async run({ 'code-file': file }, { client, input, out }) {
    const api = await client()
    await unwrap(api.POST('/api:1/totp/removal', { body: { code: await codeOf(input, file) } }))
    out.print('sign-ins have one step again')
    return undefined
  },
})

export const userTotpRemove = defineCommand({
  options: { email: { meaning: "The user's e-mail address.", required: true } },
  example: 'npx millrace user totp-remove --email ann@example.com --yes',
  routes: ['listUsers', 'removeUserTotp'],
  async run({ email }, { client, out, confirm }) {
    const api = await client()
    const user = await idOf(api, email)
    await confirm(`Remove the second step of ${email}?`)
    await unwrap(api.DELETE('/api:1/users/{user}/totp', { params: { path: { user } } }))
    out.print(`the sign-ins of ${email} have one step again`)
    return undefined
  },
})
