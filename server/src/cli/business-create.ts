import { type Command, print, withPlatform } from './command.ts'

export const businessCreate: Command = {
  name: 'business create',
  summary: 'Make a business with its first account holder, an Administrator.',
  options: {
    name: { meaning: 'The name of the business.', required: true },
    email: { meaning: "The account holder's e-mail address.", required: true },
    password: { meaning: "The account holder's password.", required: true },
  },
  example:
    'npx millrace business create --name Acme --email ops@acme.example --password "a long phrase"',
  run: (values) =>
    withPlatform(async ({ accounts }) => {
      const business = await accounts.createBusiness({ name: values.name ?? '' })
      await accounts.createUser(business.id, {
        email: values.email ?? '',
        password: values.password ?? '',
        role: 'Administrator',
      })
      print(business.id)
      return 0
    }),
}
