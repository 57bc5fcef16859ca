import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns, timeOf } from '../../output/output.ts'
import { businessOf } from '../instance/outbound.ts'

const usPerMs = 1_000

export const mailList = defineCommand({
  options: {},
  example: 'npx millrace mail list',
  routes: ['listMails'],
  async run(_values, { client, out }) {
    const api = await client()
    const { mails } = await unwrap(api.GET('/api:1/mails'))
    out.show(mails, () =>
      columns(
        mails.map(({ id, created_at: at, to, subject }) => {
          return [id, timeOf(at * usPerMs), to.join(', '), subject]
        }),
      ),
    )
    return undefined
  },
})

export const mailShow = defineCommand({
  options: { id: { meaning: 'The id of the mail; see millrace mail list.', required: true } },
  operand: 'id',
  example: `for id in $(npx millrace mail list | cut -d' ' -f1); do npx millrace mail show "$id"; done`,
  routes: ['getMail'],
  async run({ id }, { client, out }) {
    const api = await client()
    const params = { path: { mail: id } }
    const mail = await unwrap(api.GET('/api:1/mails/{mail}', { params }))
    const { from, reply_to: replyTo, to, subject, text, html } = mail
    out.show(mail, () => [
      ...columns([
        ['from', from],
        ...(replyTo === null ? [] : [['reply to', replyTo]]),
        ['to', to.join(', ')],
        ['subject', subject],
      ]),
      '',
      ...(text ?? html ?? '').trimEnd().split('\n'),
    ])
    return undefined
  },
})

const senderOption = {
  meaning: 'An e-mail address, or a domain as @example.com.',
  required: true,
} as const

const sendersPath = '/api:1/businesses/{business}/mail-senders'
const senderPath = `${sendersPath}/{sender}` as const

export const mailSenders = defineCommand({
  options: {},
  example: 'npx millrace mail senders --business Demo',
  routes: ['getCaller', 'listMailSenders'],
  async run(_values, { client, out }) {
    const api = await client()
    const business = await businessOf(api)
    const params = { path: { business: business.id } }
    const { senders } = await unwrap(api.GET(sendersPath, { params }))
    out.show(senders, () => senders)
    return undefined
  },
})

export const mailAllow = defineCommand({
  options: { sender: senderOption },
  operand: 'sender',
  example: 'npx millrace mail allow --business Demo --sender @plant.example',
  routes: ['getCaller', 'allowMailSender'],
  async run({ sender }, { client, out }) {
    const api = await client()
    const business = await businessOf(api)
    const params = { path: { business: business.id, sender } }
    await unwrap(api.PUT(senderPath, { params }))
    out.print(`scripts of ${business.name} may send mails as ${sender}`)
    return undefined
  },
})

export const mailForbid = defineCommand({
  options: { sender: senderOption },
  operand: 'sender',
  example:
    'npx millrace mail allow --business Demo --sender ann@plant.example && ' +
    'npx millrace mail forbid --business Demo --sender ann@plant.example',
  routes: ['getCaller', 'removeMailSender'],
  async run({ sender }, { client, out }) {
    const api = await client()
    const business = await businessOf(api)
    const params = { path: { business: business.id, sender } }
    await unwrap(api.DELETE(senderPath, { params }))
    out.print(`scripts of ${business.name} no longer send mails as ${sender}`)
    return undefined
  },
})

/**
 * For examples: what prints the secret of the link in the last mail, as the operator of an instance
 * without a mail server reads it.
 */
export function lastLink(kind: 'invitation' | 'reset'): string {
  return (
    `npx millrace mail show "$(npx millrace mail list | head -1 | cut -d' ' -f1)" | ` +
    `grep -o '#${kind}=.*' | cut -d= -f2`
  )
}
