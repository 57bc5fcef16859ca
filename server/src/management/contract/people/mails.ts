import { Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, nothing, PathText } from '../common.ts'
import { contract } from '../contract.ts'

const mailFields = {
  id: Type.String(),
  business_id: Nullable(Type.String(), { description: 'Null for a mail of the instance itself.' }),
  from: Type.String(),
  reply_to: Nullable(Type.String(), { description: 'Null: answers go to the sender.' }),
  to: Type.Array(Type.String()),
  subject: Type.String(),
  created_at: Type.Integer({ description: 'Milliseconds since 1970.' }),
}

export const listMails = contract(
  {
    id: 'listMails',
    method: 'GET',
    path: '/api:1/mails',
    permission: 'operator',
    tag: 'mails',
    summary: 'List the mails that were kept, for there is no mail server; newest first.',
    description: 'Of all businesses. Mails that were sent to a server are not kept.',
  },
  () => ({
    answers: {
      200: json(
        'The mails, without their bodies.',
        StrictObject({ mails: Type.Array(component('MailHead', mailFields)) }),
      ),
    },
  }),
)

export const getMail = contract(
  {
    id: 'getMail',
    method: 'GET',
    path: '/api:1/mails/:mail',
    permission: 'operator',
    tag: 'mails',
    summary: 'Show one mail that was kept.',
  },
  () => ({
    params: StrictObject({ mail: PathText('The id of a mail.') }),
    answers: {
      200: json(
        'The mail.',
        component('StoredMail', {
          ...mailFields,
          text: Nullable(Type.String()),
          html: Nullable(Type.String()),
        }),
      ),
    },
  }),
)

const business = PathText('The id or the name of a business, percent-encoded.')
const senderParams = StrictObject({
  business,
  sender: PathText('An e-mail address, or a domain as `@example.com`, percent-encoded.'),
})
const sendersPath = '/api:1/businesses/:business/mail-senders'

export const listMailSenders = contract(
  {
    id: 'listMailSenders',
    method: 'GET',
    path: sendersPath,
    permission: 'operator',
    tag: 'mails',
    summary: 'List the senders that the scripts of one business may send mails as.',
  },
  () => ({
    params: StrictObject({ business }),
    answers: {
      200: json('The senders.', StrictObject({ senders: Type.Array(Type.String()) })),
    },
  }),
)

export const allowMailSender = contract(
  {
    id: 'allowMailSender',
    method: 'PUT',
    path: `${sendersPath}/:sender`,
    permission: 'operator',
    tag: 'mails',
    summary: 'Allow the scripts of one business to send mails as a sender.',
    description: 'With another `from` the sender is that of the instance, and answers go there.',
  },
  () => ({
    params: senderParams,
    answers: { 204: nothing('It is allowed.') },
    refuses: ['invalid_argument'],
  }),
)

export const removeMailSender = contract(
  {
    id: 'removeMailSender',
    method: 'DELETE',
    path: `${sendersPath}/:sender`,
    permission: 'operator',
    tag: 'mails',
    summary: 'Forbid the scripts of one business a sender again.',
  },
  () => ({ params: senderParams, answers: { 204: nothing('It is no longer allowed.') } }),
)
