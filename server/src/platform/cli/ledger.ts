import type { StageSums } from '../../log/eventlog/index.ts'
import { type Command, print, withPlatform } from './command.ts'

function formatStages(stages: readonly StageSums[]): string {
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
  run: (_values, invocation) =>
    withPlatform(invocation, async ({ eventlog }) => {
      const { stages, faults } = await eventlog.ledger.verify()
      print(invocation, formatStages(stages))
      for (const fault of faults) print(invocation, `FAULT  ${fault}`)
      const { length } = faults
      print(invocation, length === 0 ? 'Every message is accounted for.' : `${length} faults.`)
      return length === 0 ? 0 : 1
    }),
}
