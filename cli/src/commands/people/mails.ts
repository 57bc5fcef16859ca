import { list, operation } from '../../operation.ts'
import { columns, formatTime } from '../../output/output.ts'

const usPerMs = 1_000

const senderOption = { meaning: 'An e-mail address, or a domain as @example.com.' }

/** The commands of mails that were kept, and of the senders of mails. */
export const commands = {
  'mail list': list('listMails', 'mails', {
    summary: 'Print the mails that an instance without a mail server has kept, newest first.',
    row: ({ id, created_at: at, to, subject }) => {
      return [id, formatTime(at * usPerMs), to.join(', '), subject]
    },
    example: 'npx millrace mail list',
  }),
  'mail show': operation('getMail', {
    summary: 'Print one mail that an instance without a mail server has kept.',
    options: { id: { as: 'mail', meaning: 'The id of the mail; see millrace mail list.' } },
    lines: ({ from, reply_to: replyTo, to, subject, text, html }) => [
      ...columns([
        ['from', from],
        ...(replyTo === null ? [] : [['reply to', replyTo]]),
        ['to', to.join(', ')],
        ['subject', subject],
      ]),
      '',
      ...(text ?? html ?? '').trimEnd().split('\n'),
    ],
    example: `for id in $(npx millrace mail list | cut -d' ' -f1); do npx millrace mail show "$id"; done`,
  }),
  'mail senders': list('listMailSenders', 'senders', {
    summary: 'Print the senders that the scripts of a business may send mails as.',
    example: 'npx millrace mail senders --business Demo',
  }),
  'mail allow': operation('allowMailSender', {
    summary: 'Allow the scripts of a business to send mails as a sender.',
    options: { sender: senderOption },
    done: 'scripts of {business} may send mails as {sender}',
    example: 'npx millrace mail allow --business Demo --sender @plant.example',
  }),
  'mail forbid': operation('removeMailSender', {
    summary: 'Withdraw a sender of mails from the scripts of a business.',
    options: { sender: senderOption },
    done: 'scripts of {business} no longer send mails as {sender}',
    example:
      'npx millrace mail allow --business Demo --sender ann@plant.example && ' +
      'npx millrace mail forbid --business Demo --sender ann@plant.example',
  }),
}

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
