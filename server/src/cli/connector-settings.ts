import { fqdnOf, inWireNames, parseSettingsBody, settingsBody } from '../management/index.ts'
import { type Command, print, withPlatform } from './command.ts'
import { jsonOfFile } from './json-file.ts'
import { businessOf, businessOption, connectorOption } from './owner.ts'

export const connectorSettings: Command = {
  name: 'connector settings',
  summary: 'Show the settings of a connector, or change those that a file names.',
  options: {
    connector: connectorOption,
    file: { meaning: 'JSON in the shape that is shown; what it leaves out stays as it is.' },
    business: businessOption,
  },
  example: 'npx millrace connector settings --connector demo',
  run: ({ connector = '', business, file }) =>
    withPlatform(async (platform) => {
      const { connectors } = platform.provisioning
      const { domain } = platform.config
      const where = [(await businessOf(platform, business)).id, connector] as const
      const body = file === undefined ? undefined : await jsonOfFile('file', file)
      const now =
        body === undefined
          ? await connectors.get(...where)
          : await inWireNames(
              connectors.patch(...where, parseSettingsBody(body, fqdnOf(connector, domain))),
            )
      const { id: _id, ...shown } = settingsBody(now, domain)
      print(JSON.stringify(shown, null, 2))
      return 0
    }),
}
