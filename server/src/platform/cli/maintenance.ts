import { migrateDatabase } from '../../foundation/database/index.ts'
import { createLogger } from '../../foundation/kernel/index.ts'
import { type Command, ownConfig, print, withPlatform } from './command.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: 'Bring the tables of the database up to this version, as serve does at its start.',
  options: {
    'dry-run': { meaning: 'Only print what would be run.', flag: true },
  },
  example: 'npx millrace migrate --dry-run',
  async run({ 'dry-run': dry }, invocation) {
    const { databaseUrl: url, dataDir, logLevel } = ownConfig(invocation)
    const dryRun = dry === 'yes'
    const options = { url, dataDir, owner: false, logger: createLogger(logLevel) }
    const { files, replaced } = await migrateDatabase(options, { dryRun })
    if (replaced > 0) {
      const done = dryRun ? 'would replace' : 'replaced'
      print(invocation, `${done} the record of ${replaced} migrations by that of the baseline`)
    } else if (files.length === 0) print(invocation, 'The tables are up to date.')
    for (const file of files) print(invocation, `${dryRun ? 'would run' : 'ran'} ${file}`)
    return 0
  },
}

export const upkeepConfirm: Command = {
  name: 'upkeep confirm',
  summary: "Confirm that the machine's time is right, so that old data is removed again.",
  options: {},
  example: 'npx millrace upkeep confirm',
  run: (_values, invocation) =>
    withPlatform(invocation, async ({ upkeep }) => {
      const now = new Date((await upkeep.confirm()) / 1_000).toISOString()
      print(invocation, `The time is ${now}. Old data are removed by it within ten minutes.`)
      return 0
    }),
}
