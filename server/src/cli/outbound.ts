import type { Business } from '../accounts/index.ts'
import { type Allowances, createAllowances } from '../services/http/index.ts'
import { type Command, type Option, print, withPlatform } from './command.ts'
import { businessOf, businessOption } from './owner.ts'

export const addressOption: Option = {
  meaning: 'host:port, such as 10.0.0.5:8080, erp.lan:443 or 10.0.0.5:*.',
  required: true,
}

/** Works on what is open for the scripts of the business that a command means. */
export function withAllowances(
  name: string | undefined,
  work: (allowances: Allowances, business: Business) => Promise<void>,
): Promise<number> {
  return withPlatform(async (platform) => {
    const business = await businessOf(platform, name)
    await work(createAllowances(platform), business)
    return 0
  })
}

export const moduleAdd: Command = {
  name: 'module add',
  summary: 'Register an insight module by its address, and print its id.',
  options: {
    business: businessOption,
    name: { meaning: 'The name of the module.', required: true },
    url: {
      meaning: 'The URL of the module. A private address must be allowed first.',
      required: true,
    },
  },
  example:
    'MILLRACE_OUTBOUND_ALLOW=127.0.0.1:9401 npx millrace module add --name Vibration ' +
    '--url http://127.0.0.1:9401',
  run: (values) =>
    withPlatform(async (platform) => {
      const business = await businessOf(platform, values.business)
      const { name = '', url = '' } = values
      print((await platform.pipelines.modules.add(business.id, { name, url })).id)
      return 0
    }),
}

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
