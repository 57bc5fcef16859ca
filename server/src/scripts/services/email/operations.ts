import { defineOperations, limits, StrictObject, Type } from '../../../foundation/kernel/index.ts'

const text = (description: string, rule: string) =>
  Type.String({ description, rule, missing: 'must be given' })

/** The operations of the service `email`; `mail` checks the addresses and the sizes. */
export const emailOperations = defineOperations(() => ({
  send: {
    description: 'Sends an e-mail.',
    strict: true,
    args: StrictObject({
      to: Type.Array(text('An address.', 'must be an e-mail address'), {
        description: 'The addresses, or one of them.',
        itemAsList: true,
        minItems: 1,
        maxItems: limits.mailRecipientsMax,
        rule: `must be an address, or a list of at most ${limits.mailRecipientsMax}`,
        missing: 'must be given',
      }),
      subject: text('The subject.', 'must be a text'),
      text: Type.Optional(Type.String({ description: 'The body as text.' })),
      html: Type.Optional(Type.String({ description: 'The body as HTML.' })),
      from: Type.Optional(
        Type.String({
          description:
            'The sender, if the operator allows it to the business. Else, and if it is left out, ' +
            'the sender is that of the instance, and answers go to this address.',
        }),
      ),
    }),
    result: StrictObject({ status: Type.Literal(204) }),
  },
  getSettings: {
    description: 'Describes what mails may be.',
    args: StrictObject({}),
    result: StrictObject({
      per_minute: Type.Integer({ description: 'Recipients in a minute.' }),
      per_day: Type.Integer({ description: 'Recipients in a day.' }),
      recipients: Type.Integer({ description: 'Recipients of one mail.' }),
    }),
  },
}))
