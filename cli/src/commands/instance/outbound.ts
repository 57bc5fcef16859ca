import { type MillraceClient, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'

const addressOption = {
  meaning: 'host:port, such as 10.0.0.5:8080, erp.lan:443 or 10.0.0.5:*.',
  required: true,
} as const

const path = '/api:1/businesses/{business}/outbound/{address}'

/** The business that the command line names, or the only one. */
export async function businessOf(api: MillraceClient): Promise<{ id: string; name: string }> {
  const { business } = await unwrap(api.GET('/api:1/whoami'))
  return business
}

export const outboundAllow = defineCommand({
  options: { address: addressOption },
  operand: 'address',
  example: 'npx millrace outbound allow --business Demo --address 10.0.0.5:8080',
  routes: ['getCaller', 'allowOutboundAddress'],
  async run({ address }, { client, out }) {
    const api = await client()
    const { id: business, name } = await businessOf(api)
    await unwrap(api.PUT(path, { params: { path: { business, address } } }))
    out.print(`the scripts of ${name} may call ${address} within a few seconds`)
    return undefined
  },
})

export const outboundList = defineCommand({
  options: {},
  example: 'npx millrace outbound list --business Demo',
  routes: ['getCaller', 'listOutboundAddresses'],
  async run(_values, { client, out }) {
    const api = await client()
    const { id: business } = await businessOf(api)
    const params = { path: { business } }
    const list = '/api:1/businesses/{business}/outbound'
    const { addresses } = await unwrap(api.GET(list, { params }))
    out.show(addresses, () => addresses)
    return undefined
  },
})

export const outboundRemove = defineCommand({
  options: { address: addressOption },
  operand: 'address',
  example:
    'npx millrace outbound allow --business Demo --address 10.0.0.6:8080 && ' +
    'npx millrace outbound remove --business Demo --address 10.0.0.6:8080',
  routes: ['getCaller', 'removeOutboundAddress'],
  async run({ address }, { client, out }) {
    const api = await client()
    const { id: business, name } = await businessOf(api)
    await unwrap(api.DELETE(path, { params: { path: { business, address } } }))
    out.print(`${address} is closed for the scripts of ${name} within a few seconds`)
    return undefined
  },
})
