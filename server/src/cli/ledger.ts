import type { StageSums } from '../eventlog/index.ts'
import { limits } from '../kernel/index.ts'
import { type Command, print, UsageError, withPlatform } from './command.ts'

export const ledgerShow: Command = {
  name: 'ledger show',
  summary: 'Print the counts per stage and hour, newest first.',
  options: { rows: { meaning: 'The number of rows to print.', default: '24' } },
  example: 'npx millrace ledger show --rows 8',
  run: (values) =>
    withPlatform(async ({ eventlog }) => {
      const rows = Number(values.rows)
      if (!Number.isInteger(rows) || rows < 1 || rows > limits.ledgerHoursMax) {
        throw new UsageError(`--rows is a whole number from 1 to ${limits.ledgerHoursMax}`)
      }
      print(row(['hour', 'stage'], ['in', 'out', 'failed']))
      for (const hour of await eventlog.ledger.hours(rows)) {
        const at = new Date(hour.hourMs).toISOString().slice(0, 13)
        print(row([at, hour.stage], [hour.taken, hour.done, hour.failed]))
      }
      return 0
    }),
}

export function formatStages(stages: readonly StageSums[]): string {
  return [
    row(['stage'], ['in', 'out', 'failed', 'pending']),
    ...stages.map((s) => row([s.stage], [s.taken, s.done, s.failed, s.pending])),
  ].join('\n')
}

const wordsWidth = 16
const numbersWidth = 10

function row(words: readonly string[], numbers: readonly (string | number)[]): string {
  return [
    ...words.map((word) => word.padEnd(wordsWidth)),
    ...numbers.map((number) => String(number).padStart(numbersWidth)),
  ].join('  ')
}

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
