import { type Command, print, withPlatform } from '../command.ts'
import { businessOf, businessOption } from '../owner.ts'

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
