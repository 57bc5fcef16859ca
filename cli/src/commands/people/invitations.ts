import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns, timeOf } from '../../output/output.ts'
import { lastLink } from './mails.ts'

const idOption = {
  meaning: 'The id of the invitation; see millrace invitation list.',
  required: true,
} as const

const usPerMs = 1_000

function cellsOf({ id, email, role, expires_at: end }: components['schemas']['Invitation']) {
  return [id, email, role, `until ${timeOf(end * usPerMs)}`]
}

export const invitationList = defineCommand({
  options: {},
  example: 'npx millrace invitation list',
  routes: ['listInvitations'],
  async run(_values, { client, out }) {
    const api = await client()
    const { invitations } = await unwrap(api.GET('/api:1/invitations'))
    out.show(invitations, () => columns(invitations.map(cellsOf)))
    return undefined
  },
})

export const invitationCreate = defineCommand({
  options: {
    email: { meaning: 'The e-mail address of the person.', required: true },
    role: { meaning: 'The name of a role; see millrace role list.', default: 'Viewer' },
    group: {
      meaning: 'The id of a group that it sees, with all below; may be given several times.',
      many: true,
    },
  },
  operand: 'email',
  example: 'npx millrace invitation create eve@example.com --role Viewer',
  routes: ['createInvitation'],
  async run({ email, role, group }, { client, out }) {
    const api = await client()
    const body = { email, role, ...(group.length > 0 && { groups: [...group] }) }
    const made = await unwrap(api.POST('/api:1/invitations', { body }))
    out.show(made, () => [made.id])
    return undefined
  },
})

export const invitationResend = defineCommand({
  options: { id: idOption },
  operand: 'id',
  example: 'npx millrace invitation resend "$(npx millrace invitation create ida@example.com)"',
  routes: ['resendInvitation'],
  async run({ id }, { client, out }) {
    const api = await client()
    const params = { path: { invitation: id } }
    const path = '/api:1/invitations/{invitation}/resend'
    const invitation = await unwrap(api.POST(path, { params }))
    out.show(invitation, () => columns([cellsOf(invitation)]))
    return undefined
  },
})

export const invitationRevoke = defineCommand({
  options: { id: idOption },
  operand: 'id',
  example:
    'npx millrace invitation revoke "$(npx millrace invitation create roy@example.com)" --yes',
  routes: ['revokeInvitation'],
  async run({ id }, { client, out, confirm }) {
    const api = await client()
    await confirm(`Revoke the invitation ${id}? Its link is refused from then on.`)
    const params = { path: { invitation: id } }
    await unwrap(api.DELETE('/api:1/invitations/{invitation}', { params }))
    out.print(`the invitation ${id} is revoked`)
    return undefined
  },
})

export const invitationAccept = defineCommand({
  options: {
    'token-file': {
      meaning: 'A file with what the link of the mail has behind #invitation=; it is valid once.',
      required: true,
    },
    name: { meaning: 'The name of the person.' },
    'password-file': {
      meaning: 'A file with the password; - is the standard input. Default: a prompt.',
    },
  },
  example:
    `npx millrace invitation create amy@example.com && ${lastLink('invitation')} > token.txt && ` +
    "echo 'a long phrase' | npx millrace invitation accept --token-file token.txt --password-file -",
  routes: ['acceptInvitation'],
  async run({ 'token-file': link, name, 'password-file': file }, { client, input, out }) {
    const api = await client()
    const token = await input.readSecret('token-file', link)
    const password = await input.newSecretOf('password-file', file, 'Password')
    const body = { token, password, ...(name !== undefined && { name }) }
    const user = await unwrap(api.POST('/api:1/invitations/accept', { body }))
    out.show(user, () => [user.email])
    return undefined
  },
})
