import { type Command, print, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'

export const caShow: Command = {
  name: 'ca show',
  summary: 'Print the certificate of the built-in certificate authority of a connector.',
  options: { connector: connectorOption, business: businessOption },
  example: 'npx millrace ca show --connector demo',
  run: ({ connector = '', business }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const { certificatePem } = await platform.provisioning.authorities.get(id, connector)
      print(certificatePem.trimEnd())
      return 0
    }),
}
