import { type Command, print, withPlatform } from '../command.ts'
import { businessOf, businessOption } from '../owner.ts'

export const solutionCreate: Command = {
  name: 'solution create',
  summary: 'Create a solution, and print its id.',
  options: {
    name: { meaning: 'Its name.', required: true },
    id: {
      meaning: 'Its id: lower-case letters and digits, a letter first. Default: generated.',
    },
    business: businessOption,
  },
  example: 'npx millrace solution create --name "Pump station"',
  run: ({ business, name = '', id }) =>
    withPlatform(async (platform) => {
      const owner = await businessOf(platform, business)
      const wanted = { name, ...(id === undefined ? {} : { id }) }
      print((await platform.scripting.solutions.create(owner.id, wanted)).id)
      return 0
    }),
}
