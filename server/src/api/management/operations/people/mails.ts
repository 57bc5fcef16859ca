import { Type } from '../../../../foundation/kernel/index.ts'
import { mailHeadSchema, storedMailSchema } from '../../../../foundation/mail/index.ts'
import { businessNamed } from '../../calls.ts'
import { does, lists, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const on = operations('mails', 'operator', '/api:1')

export const listMails = on.get(
  '/mails',
  'List the mails that were kept, for there is no mail server; newest first.',
  () => ({
    description: 'Of all businesses. Mails that were sent to a server are not kept.',
    ...lists('mails', mailHeadSchema, 'The mails, without their bodies.'),
  }),
  ({ mail }) => mail.list(),
)

export const getMail = on.get(
  '/mails/:mail',
  'Show one mail that was kept.',
  () => shows('The mail.', storedMailSchema),
  ({ mail }, { params }) => mail.find(params.mail),
)

export const listMailSenders = on.get(
  '/businesses/:business/mail-senders',
  'List the senders that the scripts of one business may send mails as.',
  () => lists('senders', Type.String(), 'The senders.'),
  async ({ accounts, mail }, { params }) =>
    mail.senders.list(await businessNamed(accounts, params)),
)

export const allowMailSender = on.put(
  '/businesses/:business/mail-senders/:sender',
  'Allow the scripts of one business to send mails as a sender.',
  () => ({
    description: 'With another `from` the sender is that of the instance, and answers go there.',
    ...does('It is allowed.'),
    refuses: ['invalid_argument'],
  }),
  async ({ mail, accounts }, { params }) =>
    await mail.senders.allow(await businessNamed(accounts, params), params.sender),
)

export const removeMailSender = on.remove(
  '/businesses/:business/mail-senders/:sender',
  'Forbid the scripts of one business a sender again.',
  () => does('It is no longer allowed.'),
  async ({ mail, accounts }, { params }) =>
    await mail.senders.remove(await businessNamed(accounts, params), params.sender),
)
