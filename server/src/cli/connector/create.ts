import { type Command, print, UsageError, withPlatform } from '../command.ts'
import { businessOf, businessOption } from '../owner.ts'

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
