import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { columns, timeOf } from '../../output/output.ts'

export const ledgerShow = defineCommand({
  options: { rows: { meaning: 'The number of rows to print.', default: '24' } },
  example: 'npx millrace ledger show --rows 8',
  routes: ['getLedger'],
  async run({ rows }, { client, out }) {
    const params = { query: { limit: wholeNumber('rows', rows) } }
    const { hours } = await unwrap((await client()).GET('/api:1/ledger', { params }))
    out.show(hours, () => tableOf(hours))
    return undefined
  },
})

const lettersOfHour = 'YYYY-MM-DDTHH'.length
const numberWidth = 10

function tableOf(hours: readonly components['schemas']['LedgerHour'][]): string[] {
  const head = ['hour', 'stage', ...['in', 'out', 'failed'].map(aligned)]
  const rows = hours.map((one) => [
    timeOf(one.hour).slice(0, lettersOfHour),
    one.stage,
    ...[one.in, one.out, one.failed].map(aligned),
  ])
  return columns([head, ...rows])
}

const aligned = (cell: string | number) => String(cell).padStart(numberWidth)
