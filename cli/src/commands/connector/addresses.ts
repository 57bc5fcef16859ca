import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns } from '../../output/output.ts'
import { connectorOption } from '../options.ts'

export const connectorAddresses = defineCommand({
  options: {
    connector: connectorOption,
    authority: {
      meaning: 'Print the certificate that devices trust (PEM) in place of the addresses.',
      flag: true,
    },
  },
  example: 'npx millrace connector addresses --connector demo --authority > ca.pem',
  routes: ['getDeviceAddresses'],
  async run({ connector, authority }, { client, out }) {
    const api = await client()
    const path = '/api:1/service/{connector}/device2/addresses'
    const addresses = await unwrap(api.GET(path, { params: { path: { connector } } }))
    out.show(addresses, () => {
      const { ca, http, https, mqtt, mqtts } = addresses
      if (authority) return ca === null ? [] : [ca.trimEnd()]
      const rows = {
        https,
        mqtts,
        'http, in developer mode': http,
        'mqtt, in developer mode': mqtt,
      }
      return columns(
        Object.entries(rows).flatMap(([name, url]) => (url === null ? [] : [[name, url]])),
      )
    })
    return undefined
  },
})
