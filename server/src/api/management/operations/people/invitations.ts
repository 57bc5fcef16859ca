import { StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import { invitationSchema, newInvitationSchema } from '../../../../people/accounts/index.ts'
import { does, json, lists, makes, shows } from '../../contract/common.ts'
import { managementLimits } from '../../limits.ts'
import { operations } from '../../operation.ts'

const people = operations('accounts', 'User Management', '/api:1/invitations')
const open = operations('accounts', 'none', '/api:1/invitations/accept')

export const listInvitations = people.get(
  '',
  'List the invitations that were not accepted, newest first.',
  () => lists('invitations', invitationSchema, 'The invitations.'),
  ({ accounts }, { principal }) => accounts.listInvitations(principal),
)

export const createInvitation = people.post(
  '',
  'Invite a person by mail.',
  () => ({
    description:
      'The link is valid for 8 days (`invitationDays`). The role permits no more, and the groups ' +
      'are no more, than those of the caller. After `mail_failed` it can be sent again.',
    body: newInvitationSchema,
    ...makes('The invitation.', invitationSchema),
    refuses: ['already_exists', 'not_found', 'mail_failed'],
    example: { request: { email: 'eve@acme.example', role: 'Viewer' } },
  }),
  ({ accounts }, { principal, body }) => accounts.invite(principal, body),
)

export const resendInvitation = people.post(
  '/:invitation/resend',
  'Send an invitation again, with another link that is valid as long.',
  () => ({
    description: 'The link before is no longer valid.',
    ...shows('The invitation.', invitationSchema),
    refuses: ['mail_failed'],
  }),
  ({ accounts }, { principal, params }) => accounts.resendInvitation(principal, params.invitation),
)

export const revokeInvitation = people.remove(
  '/:invitation',
  'Revoke an invitation: its link is refused from then on.',
  () => does('It is revoked.'),
  ({ accounts }, { principal, params }) => accounts.revokeInvitation(principal, params.invitation),
)

export const acceptInvitation = open.post(
  '',
  'Accept an invitation: become a user of the business.',
  () => ({
    body: StrictObject({
      token: Type.String({ description: 'What the link has behind `#invitation=`.' }),
      name: Type.Optional(Type.String()),
      password: Type.String(),
    }),
    bodyBytesMax: managementLimits.signInBodyBytesMax,
    answers: { 201: json('The user.', StrictObject({ email: Type.String() })) },
    refuses: ['not_found', 'already_exists', 'business_quota_full', 'too_many_requests'],
    example: { request: { token: '3f6c…', name: 'Amy', password: 'a long phrase' } },
  }),
  ({ accounts }, { body: { token, ...person }, from }) =>
    accounts.acceptInvitation(token, person, from),
)
