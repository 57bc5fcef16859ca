import { type Command, print, withPlatform } from '../command.ts'
import { formatStages } from './show.ts'

export const ledgerVerify: Command = {
  name: 'ledger verify',
  summary: 'Verify that in = out + failed + pending at every stage; exit with 1 if not.',
  options: {},
  example: 'npx millrace ledger verify',
  run: () =>
    withPlatform(async ({ eventlog }) => {
      const { stages, faults } = await eventlog.ledger.verify()
      print(formatStages(stages))
      for (const fault of faults) print(`FAULT  ${fault}`)
      print(faults.length === 0 ? 'Every message is accounted for.' : `${faults.length} faults.`)
      return faults.length === 0 ? 0 : 1
    }),
}
