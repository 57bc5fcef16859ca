import { type Command, print, withPlatform } from '../command.ts'
import { askSecret, readSecret } from '../secret.ts'

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
      const business = await accounts.createBusiness({ name })
      await accounts.createUser(business.id, { email, password, role: 'Administrator' })
      print(business.id)
      return 0
    })
  },
}
