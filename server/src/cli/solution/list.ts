import { type Command, print, withPlatform } from '../command.ts'
import { businessOf, businessOption } from '../owner.ts'

export const solutionList: Command = {
  name: 'solution list',
  summary: 'Print the solutions of a business, oldest first.',
  options: { business: businessOption },
  example: 'npx millrace solution list',
  run: ({ business }) =>
    withPlatform(async (platform) => {
      const { id } = await businessOf(platform, business)
      for (const solution of await platform.scripting.solutions.list(id)) {
        print(`${solution.id}  version ${solution.version}  ${solution.name}`)
      }
      return 0
    }),
}
