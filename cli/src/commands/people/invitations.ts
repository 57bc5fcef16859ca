import type { components } from '@millrace/client'
import type { Call } from '../../call.ts'
import { command } from '../../command.ts'
import { milliseconds } from '../../input.ts'
import { list, operation } from '../../operation.ts'
import { columns, formatTime } from '../../output/output.ts'
import { groupOption, passwordOption, rowsOption, secretFile } from '../options.ts'
import { lastLink } from './mails.ts'

const idOption = {
  as: 'invitation',
  meaning: 'The id of the invitation; see millrace invitation list.',
} as const

const filterOptions = {
  from: { read: milliseconds, meaning: 'From this time on, such as 2030-01-31T12:00Z.' },
  to: { read: milliseconds, meaning: 'Before this time.' },
  subject: { meaning: 'user:<id>, token:<id> or operator; or the e-mail address or the name.' },
  source: { meaning: 'The program.', choices: ['console', 'cli', 'management', 'graphql'] },
  action: { meaning: 'The operation, such as deleteUser.' },
  outcome: { meaning: 'done, or the code of an error.' },
  text: { meaning: 'A part of the name or id of the changed thing.' },
} as const

/** The commands of invitations and of the audit log. */
export const commands = {
  'invitation list': list('listInvitations', 'invitations', {
    summary: 'Print the invitations that were not accepted, newest first.',
    row: invitationRow,
    example: 'npx millrace invitation list',
  }),
  'invitation create': operation('createInvitation', {
    summary: 'Invite a person by mail, and print the id of the invitation.',
    options: {
      email: 'The e-mail address of the person.',
      role: { meaning: 'The name of a role; see millrace role list.', default: 'Viewer' },
      group: groupOption,
    },
    operand: 'email',
    lines: ({ id }) => [id],
    example: 'npx millrace invitation create eve@example.com --role Viewer',
  }),
  'invitation resend': operation('resendInvitation', {
    summary: 'Send an invitation again, with another link that is valid as long.',
    options: { id: idOption },
    lines: (invitation) => columns([invitationRow(invitation)]),
    example: 'npx millrace invitation resend "$(npx millrace invitation create ida@example.com)"',
  }),
  'invitation revoke': operation('revokeInvitation', {
    summary: 'Revoke an invitation: its link is refused from then on.',
    options: { id: idOption },
    confirm: 'Revoke the invitation {id}? Its link is refused from then on.',
    done: 'the invitation {id} is revoked',
    example:
      'npx millrace invitation revoke "$(npx millrace invitation create roy@example.com)" --yes',
  }),
  'invitation accept': operation('acceptInvitation', {
    summary: 'Accept an invitation: become a user of the business.',
    options: {
      'token-file': {
        as: 'token',
        read: secretFile,
        meaning:
          'A file with the text behind #invitation= in the link of the mail; it is valid once.',
      },
      name: 'The name of the person.',
      'password-file': passwordOption,
    },
    lines: ({ email }) => [email],
    example:
      `npx millrace invitation create amy@example.com && ${lastLink('invitation')} > token.txt && ` +
      "echo 'a long phrase' | npx millrace invitation accept --token-file token.txt --password-file -",
  }),
  'audit list': operation('listAudit', {
    summary: 'Print each action with its author and address, newest first.',
    options: { ...filterOptions, rows: rowsOption },
    data: ({ entries }) => entries,
    lines: ({ entries }) => columns([[...fields], ...entries.map(auditRow)]),
    example: 'npx millrace audit list --rows 5',
  }),
  'audit export': command('Print all that the audit log has as CSV, newest first.', {
    options: filterOptions,
    example: 'npx millrace audit export > audit.csv',
    routes: ['listAudit'],
    async run({ from, to, subject, source, action, outcome, text }, { call, out }) {
      const filter = {
        from: from === undefined ? undefined : milliseconds('from', from),
        to: to === undefined ? undefined : milliseconds('to', to),
        source: source as Source,
        subject,
        action,
        outcome,
        text,
      }
      out.print(fields.join(','))
      for await (const entries of readPages(call, filter)) {
        for (const entry of entries) out.print(auditRow(entry).map(csvCell).join(','))
      }
    },
  }),
}

type Entry = components['schemas']['AuditEntry']
type Filter = NonNullable<Parameters<typeof readPages>[1]>
type Source = Filter['source']

const usPerMs = 1_000

function invitationRow(invitation: components['schemas']['Invitation']): string[] {
  const { id, email, role, expires_at: end } = invitation
  return [id, email, role, `until ${formatTime(end * usPerMs)}`]
}

const fields = [
  ...(['at', 'name', 'subject', 'source'] as const),
  ...(['address', 'action', 'target', 'outcome'] as const),
]

function auditRow(entry: Entry): string[] {
  const shown = { ...entry, at: formatTime(entry.at * usPerMs) }
  return fields.map((field) => shown[field])
}

const pageRows = 500

async function* readPages(call: Call, filter: Parameters<typeof call<'listAudit'>>[1]) {
  let before: number | undefined
  for (;;) {
    const { entries } = await call('listAudit', { ...filter, limit: pageRows, before })
    yield entries
    before = entries.at(-1)?.id
    if (entries.length < pageRows) return
  }
}

/** A spreadsheet runs what begins like a formula. */
function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
