import type { components } from '@millrace/client'
import { type OptionWords, operation } from '../../operation.ts'
import { columns } from '../../output/output.ts'
import {
  enrolmentLines,
  newSecret,
  newUser,
  recoveryLines,
  secret,
  secretFile,
} from '../options.ts'
import { lastLink } from './mails.ts'

const newPasswordOption = {
  as: 'password',
  take: newSecret('New password'),
  meaning: 'A file with the new password; - is the standard input. Default: a prompt.',
} as const satisfies OptionWords

const codeOption = {
  as: 'code',
  take: secret('Code'),
  meaning: 'A file with a code of the app, or a recovery code; - is the standard input.',
} as const satisfies OptionWords

const setExample =
  'echo secret | npx millrace oidc set --issuer https://login.acme.example ' +
  '--client-id millrace --label Acme --domain acme.example --secret-file -'

/** The commands of a person's own account, and of the provider at which people sign in. */
export const commands = {
  'password change': operation('changePassword', {
    summary: 'Change your password, and end your sessions.',
    options: {
      'present-file': {
        as: 'present',
        take: secret('Present password'),
        meaning: 'A file with the current password; - is the standard input. Default: a prompt.',
      },
      'password-file': newPasswordOption,
    },
    done: 'your password is changed, and your sessions have ended: log in again',
    example: 'npx millrace password change',
  }),
  'password request': operation('requestPasswordReset', {
    summary: 'Send a mail with a link that sets a new password.',
    options: { email: "The user's e-mail address." },
    operand: 'email',
    done: 'if there is a user {email}, a mail with a link is on its way',
    example: `${newUser('ivy')}npx millrace password request ivy@example.com`,
  }),
  'password reset': operation('resetPassword', {
    summary: 'Set a new password by the link of a mail.',
    options: {
      'token-file': {
        as: 'token',
        read: secretFile,
        meaning: 'A file with the text behind #reset= in the link of the mail; it is valid once.',
      },
      'password-file': newPasswordOption,
    },
    done: 'the password is set, and all sessions of the user have ended',
    example:
      `${newUser('ira')}npx millrace password request ira@example.com && ` +
      `${lastLink('reset')} > reset.txt && echo 'another phrase' | ` +
      'npx millrace password reset --token-file reset.txt --password-file -',
  }),
  'preference show': operation('getPreferences', {
    summary: 'Print your preferences for the console.',
    lines: ({ units }) => columns(Object.entries(units)),
    example: 'npx millrace preference show',
  }),
  'preference units': operation('changePreferences', {
    summary: 'Choose the units in which you see values of a type of data.',
    options: {
      type: { meaning: 'A type of data of the catalogue, such as TEMPERATURE.', required: true },
      units: {
        meaning: 'The units to see; own: those of each signal.',
        choices: ['own', 'metric', 'us'],
      },
    },
    operand: 'type',
    arguments: ({ type, units }) => ({ units: { [`${type}`]: units === 'own' ? null : units } }),
    lines: ({ units }) => columns(Object.entries(units)),
    example: 'npx millrace preference units TEMPERATURE --units us',
  }),
  'totp show': operation('getTotp', {
    summary: 'Print whether your sign-ins have a second step.',
    lines: (totp) =>
      columns([
        ['second step', totp.enabled ? 'yes' : 'no'],
        ['recovery codes left', `${totp.recovery_codes_left}`],
        ['demanded by the business', totp.demanded ? 'yes' : 'no'],
      ]),
    example: 'npx millrace totp show',
  }),
  'totp begin': operation('beginTotp', {
    summary: 'Begin to set up a second step, by an app that shows codes.',
    options: {
      'password-file': {
        as: 'password',
        take: secret('Password'),
        meaning: 'A file with your password; - is the standard input. Default: a prompt.',
      },
    },
    lines: (begun) => [...enrolmentLines(begun), 'add it to your app, then: millrace totp confirm'],
    example: `echo 'a long phrase' | npx millrace totp begin --password-file -`,
  }),
  'totp confirm': operation('confirmTotp', {
    summary: 'Confirm the second step by a code, and print the recovery codes.',
    options: { 'code-file': codeOption },
    lines: ({ recovery_codes: codes }) => recoveryLines(codes),
    example: 'echo 123456 | npx millrace totp confirm --code-file -',
  }),
  'totp codes': operation('renewRecoveryCodes', {
    summary: 'Replace your recovery codes, and print them.',
    options: { 'code-file': codeOption },
    lines: ({ recovery_codes: codes }) => recoveryLines(codes),
    example: 'echo 123456 | npx millrace totp codes --code-file -',
  }),
  'totp remove': operation('removeTotp', {
    summary: 'Remove the second step of your sign-ins.',
    options: { 'code-file': codeOption },
    done: 'sign-ins have one step again',
    example: 'echo 123456 | npx millrace totp remove --code-file -',
  }),
  'oidc show': operation('getOidc', {
    summary: 'Print the OpenID Connect provider of a business.',
    lines: providerLines,
    example: `${setExample} && npx millrace oidc show`,
  }),
  'oidc set': operation('setOidc', {
    summary: 'Set the OpenID Connect provider at which users of a business sign in.',
    options: {
      issuer: 'The URL of the provider, as its tokens name it.',
      'client-id': 'The id of this instance at the provider.',
      'secret-file': {
        as: 'secret',
        read: secretFile,
        meaning:
          'A file with the secret of the client; - is the standard input. Default: as it is.',
      },
      label: 'The name on the button "Sign in with …".',
      domain: {
        as: 'domains',
        many: true,
        meaning: 'A domain of e-mail addresses that may sign in; may be given several times.',
      },
      'create-role': {
        as: 'creates_role',
        take: (_option, role) => role ?? null,
        meaning: 'The role of users who are made at their first sign-in.',
      },
    },
    lines: providerLines,
    example: setExample,
  }),
  'oidc remove': operation('deleteOidc', {
    summary: 'Remove the OpenID Connect provider of a business.',
    confirm: 'Remove the sign-in provider?',
    done: 'users of the business sign in by a password',
    example: `${setExample} && npx millrace oidc remove --yes`,
  }),
}

function providerLines(settings: components['schemas']['OidcSettings']): string[] {
  return columns([
    ['label', settings.label],
    ['issuer', settings.issuer],
    ['client', settings.client_id],
    ['domains', settings.domains.join(', ')],
    ['makes users', settings.creates_role ?? 'no'],
    ['redirect URI', settings.redirect_uri],
  ])
}
