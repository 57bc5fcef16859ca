import { type Command, print, withPlatform } from './command.ts'
import { askSecret, readSecret } from './input.ts'
import { businessOf, businessOption } from './owner.ts'

const option = 'password-file'

export const businessCreate: Command = {
  name: 'business create',
  summary: 'Create a business with its first account, an Administrator.',
  options: {
    name: { meaning: 'The name of the business.', required: true },
    email: { meaning: "The account holder's e-mail address.", required: true },
    [option]: {
      meaning: 'A file with the password; - is the standard input. Default: a prompt.',
    },
  },
  example:
    `echo 'a long phrase' | npx millrace business create --name Acme ` +
    '--email ops@acme.example --password-file -',
  async run({ name = '', email = '', [option]: file }) {
    const password =
      file === undefined ? await askSecret(option, 'Password') : await readSecret(option, file)
    return withPlatform(async ({ accounts }) => {
      const administrator = { email, password }
      const business = await accounts.createBusiness({ name, administrator })
      print(business.id)
      return 0
    })
  },
}

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
