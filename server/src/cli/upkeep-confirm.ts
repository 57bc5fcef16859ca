import { type Command, print, withPlatform } from './command.ts'

export const upkeepConfirm: Command = {
  name: 'upkeep confirm',
  summary: "Confirm that the machine's time is right, so that old data is removed again.",
  options: {},
  example: 'npx millrace upkeep confirm',
  run: () =>
    withPlatform(async ({ upkeep }) => {
      const now = new Date((await upkeep.confirm()) / 1_000).toISOString()
      print(`The time is ${now}. Old data are removed by it within ten minutes.`)
      return 0
    }),
}
