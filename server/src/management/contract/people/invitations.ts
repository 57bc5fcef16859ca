import { limits, Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, nothing, PathText } from '../common.ts'
import { contract } from '../contract.ts'

const invitation = component('Invitation', {
  id: Type.String(),
  email: Type.String(),
  role: Type.String({ description: 'The name of the role that the user will have.' }),
  groups: Nullable(Type.Array(Type.String()), {
    description: 'Ids of the groups that the user will see; null: the whole business.',
  }),
  created_at: Type.Integer({ description: 'Milliseconds since 1970.' }),
  created_by: Type.String({ description: '`user:<id>`, `token:<id>` or `operator`.' }),
  expires_at: Type.Integer({ description: 'Milliseconds since 1970; then its link is refused.' }),
})

const invitationParams = StrictObject({ invitation: PathText('The id of an invitation.') })

export const listInvitations = contract(
  {
    id: 'listInvitations',
    method: 'GET',
    path: '/api:1/invitations',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'List the invitations that were not accepted, newest first.',
  },
  () => ({
    answers: {
      200: json('The invitations.', StrictObject({ invitations: Type.Array(invitation) })),
    },
  }),
)

export const createInvitation = contract(
  {
    id: 'createInvitation',
    method: 'POST',
    path: '/api:1/invitations',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Invite a person by mail.',
    description:
      'The link is valid for 8 days (`invitationDays`). The role permits no more, and the groups ' +
      'are no more, than those of the caller. After `mail_failed` it can be sent again.',
  },
  () => ({
    body: StrictObject({
      email: Type.String(),
      role: Type.String(),
      groups: Type.Optional(
        Nullable(Type.Array(Type.String()), { description: 'Left out: those of the caller.' }),
      ),
    }),
    answers: { 201: json('The invitation.', invitation) },
    refuses: ['already_exists', 'not_found', 'mail_failed'],
    example: { request: { email: 'eve@acme.example', role: 'Viewer' } },
  }),
)

export const resendInvitation = contract(
  {
    id: 'resendInvitation',
    method: 'POST',
    path: '/api:1/invitations/:invitation/resend',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Send an invitation again, with another link that is valid as long.',
    description: 'The link before is no longer valid.',
  },
  () => ({
    params: invitationParams,
    answers: { 200: json('The invitation.', invitation) },
    refuses: ['mail_failed'],
  }),
)

export const revokeInvitation = contract(
  {
    id: 'revokeInvitation',
    method: 'DELETE',
    path: '/api:1/invitations/:invitation',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Revoke an invitation: its link is refused from then on.',
  },
  () => ({ params: invitationParams, answers: { 204: nothing('It is revoked.') } }),
)

export const acceptInvitation = contract(
  {
    id: 'acceptInvitation',
    method: 'POST',
    path: '/api:1/invitations/accept',
    permission: 'none',
    tag: 'accounts',
    summary: 'Accept an invitation: become a user of the business.',
  },
  () => ({
    body: StrictObject({
      token: Type.String({ description: 'What the link has behind `#invitation=`.' }),
      name: Type.Optional(Type.String()),
      password: Type.String(),
    }),
    bodyBytesMax: limits.signInBodyBytesMax,
    answers: { 201: json('The user.', StrictObject({ email: Type.String() })) },
    refuses: ['not_found', 'already_exists', 'business_quota_full', 'too_many_requests'],
    example: { request: { token: '3f6c…', name: 'Amy', password: 'a long phrase' } },
  }),
)
