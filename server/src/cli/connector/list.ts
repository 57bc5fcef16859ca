import { type Command, print, withPlatform } from '../command.ts'
import { businessOf, businessOption } from '../owner.ts'

export const connectorList: Command = {
  name: 'connector list',
  summary: 'Print the connectors of a business.',
  options: { business: businessOption },
  example: 'npx millrace connector list',
  run: (values) =>
    withPlatform(async (platform) => {
      const business = await businessOf(platform, values.business)
      for (const connector of await platform.provisioning.connectors.list(business.id)) {
        const mode = connector.devmode ? 'developer mode' : 'encrypted only'
        print(
          `${connector.id}  ${connector.id}.${platform.config.domain}  ${mode}  ${connector.name}`,
        )
      }
      return 0
    }),
}
