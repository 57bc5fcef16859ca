import {
  changeOf,
  fqdnOf,
  inWireNames,
  parseSettingsBody,
  settingsBody,
} from '../../management/index.ts'
import type { Platform } from '../../platform.ts'
import { type Command, print, withPlatform } from '../command.ts'
import { jsonOfFile } from '../input.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'

export const connectorSettings: Command = {
  name: 'connector settings',
  summary: 'Show the settings of a connector, or change those that a file names.',
  options: {
    connector: connectorOption,
    file: {
      meaning: 'JSON in the shape that is shown; omitted fields stay; resources are replaced.',
    },
    business: businessOption,
  },
  example: 'npx millrace connector settings --connector demo',
  run: ({ connector = '', business, file }) =>
    withPlatform(async (platform) => {
      const { connectors } = platform.provisioning
      const { domain } = platform.config
      const where = [(await ownerOf(platform, business, connector)).id, connector] as const
      const body = file === undefined ? undefined : await jsonOfFile('file', file)
      const now =
        body === undefined
          ? await connectors.get(...where)
          : await inWireNames(
              patch(connectors, where, parseSettingsBody(body, fqdnOf(connector, domain))),
            )
      const { id: _id, ...shown } = settingsBody(now, domain)
      print(JSON.stringify(shown, null, 2))
      return 0
    }),
}

function patch(
  connectors: Platform['provisioning']['connectors'],
  where: readonly [string, string],
  part: ReturnType<typeof parseSettingsBody>,
) {
  return connectors.patch(...where, part, changeOf(part))
}
