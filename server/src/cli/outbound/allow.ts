import { type Command, print } from '../command.ts'
import { businessOption } from '../owner.ts'
import { addressOption, withAllowances } from './allowances.ts'

export const outboundAllow: Command = {
  name: 'outbound allow',
  summary: 'Allow the scripts of one business to call a private address.',
  options: { business: businessOption, address: addressOption },
  example: 'npx millrace outbound allow --business Demo --address 10.0.0.5:8080',
  run: ({ business, address = '' }) =>
    withAllowances(business, async (allowances, { id, name }) => {
      await allowances.add(id, address)
      print(`the scripts of ${name} may call ${address} within a few seconds`)
    }),
}
