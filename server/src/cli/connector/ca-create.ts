import { type Command, print, UsageError, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'

export const caCreate: Command = {
  name: 'ca create',
  summary: 'Create the built-in certificate authority of a connector, and print its certificate.',
  options: {
    connector: connectorOption,
    business: businessOption,
    use: { meaning: 'yes: the connector uses it to sign requests from now on.', default: 'yes' },
  },
  example: 'npx millrace ca create --connector demo',
  run: ({ connector = '', business, use }) =>
    withPlatform(async (platform) => {
      if (use !== 'yes' && use !== 'no') throw new UsageError('--use is yes or no')
      const { id } = await ownerOf(platform, business, connector)
      const { authorities, connectors } = platform.provisioning
      const { pki } = await connectors.get(id, connector)
      if (use === 'yes' && pki.caPem !== null) {
        throw new UsageError(
          'the connector trusts another client CA: remove it from its settings, or pass --use no',
        )
      }
      const authority = await authorities.create(id, connector)
      if (use === 'yes') {
        await connectors.patch(id, connector, { pki: { enabled: true, vendor: 'internal' } })
      }
      print(authority.certificatePem.trimEnd())
      return 0
    }),
}
