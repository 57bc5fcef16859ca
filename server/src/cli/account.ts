import { type Command, print, withPlatform } from './command.ts'
import { businessOf, businessOption } from './owner.ts'

export const tokenCreate: Command = {
  name: 'token create',
  summary: 'Create an API token; it is printed once and cannot be shown again.',
  options: {
    business: businessOption,
    name: { meaning: 'What the token is for.', default: 'api' },
    role: { meaning: 'Administrator, Operator or Viewer.', default: 'Administrator' },
  },
  example: 'npx millrace token create --name reporting --role Viewer',
  run: (values) =>
    withPlatform(async (platform) => {
      const business = await businessOf(platform, values.business)
      const { token } = await platform.accounts.createToken(business.id, {
        name: values.name ?? '',
        role: values.role ?? '',
      })
      print(token)
      return 0
    }),
}
