import { type Command, print, UsageError, withPlatform } from '../command.ts'
import { businessOf, businessOption, connectorOption, ownerOf } from '../owner.ts'

export const connectorCreate: Command = {
  name: 'connector create',
  summary: 'Create a connector, and print its id and its host.',
  options: {
    business: businessOption,
    name: { meaning: 'The name of the connector.', required: true },
    id: { meaning: 'Its id, the first label of its host. Default: generated.' },
    'self-register': { meaning: 'yes: devices may register themselves.', default: 'no' },
    devmode: { meaning: 'yes: devices may connect without encryption.', default: 'no' },
  },
  example: 'npx millrace connector create --name "Cold store" --self-register yes --devmode yes',
  run: (values) =>
    withPlatform(async (platform) => {
      const business = await businessOf(platform, values.business)
      const connector = await platform.provisioning.connectors.create(business.id, {
        ...(values.id === undefined ? {} : { id: values.id }),
        name: values.name ?? '',
        selfRegistration: yesOrNo('self-register', values['self-register']),
        devmode: yesOrNo('devmode', values.devmode),
      })
      print(`${connector.id}  ${connector.id}.${platform.config.domain}`)
      return 0
    }),
}

function yesOrNo(name: string, text: string | undefined): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new UsageError(`--${name} is yes or no`)
}

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

export const connectorDelete: Command = {
  name: 'connector delete',
  summary: 'Delete a connector with its settings, contents and values, and close its connections.',
  options: {
    connector: connectorOption,
    cascade: { meaning: 'Delete its identities too; required if it has any.', flag: true },
    business: businessOption,
  },
  example:
    'npx millrace connector create --id gone2 --name Gone && ' +
    'npx millrace connector delete --connector gone2',
  run: ({ connector = '', business, cascade }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const { removals } = platform.provisioning
      const { identities } = await removals.remove(id, connector, { cascade: cascade === 'yes' })
      print(`${connector} is deleted, with ${identities} identities`)
      await removals.clear()
      return 0
    }),
}
