import { Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, PathText } from '../common.ts'
import { contract } from '../contract.ts'

const mailFields = {
  id: Type.String(),
  business_id: Nullable(Type.String(), { description: 'Null for a mail of the instance itself.' }),
  from: Type.String(),
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
