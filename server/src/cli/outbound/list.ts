import { type Command, print } from '../command.ts'
import { businessOption } from '../owner.ts'
import { withAllowances } from './allowances.ts'

export const outboundList: Command = {
  name: 'outbound list',
  summary: 'Print the private addresses that the scripts of one business may call.',
  options: { business: businessOption },
  example: 'npx millrace outbound list --business Demo',
  run: ({ business }) =>
    withAllowances(business, async (allowances, { id }) => {
      for (const entry of await allowances.list(id)) print(entry)
    }),
}
