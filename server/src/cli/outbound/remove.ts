import { type Command, print } from '../command.ts'
import { businessOption } from '../owner.ts'
import { addressOption, withAllowances } from './allowances.ts'

export const outboundRemove: Command = {
  name: 'outbound remove',
  summary: 'Forbid the scripts of one business to call a private address again.',
  options: { business: businessOption, address: addressOption },
  example: 'npx millrace outbound remove --business Demo --address 10.0.0.5:8080',
  run: ({ business, address = '' }) =>
    withAllowances(business, async (allowances, { id, name }) => {
      await allowances.remove(id, address)
      print(`${address} is closed for the scripts of ${name} within a few seconds`)
    }),
}
