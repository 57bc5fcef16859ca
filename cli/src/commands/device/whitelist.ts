import { defineCommand, exitCodes } from '../../command.ts'
import { FileImport } from '../../device/file-import.ts'
import type { RowCounts } from '../../device/import-answer.ts'
import { connectorOption } from '../options.ts'
import { microseconds } from './options.ts'

export const deviceWhitelist = defineCommand({
  options: {
    connector: connectorOption,
    file: { meaning: 'The CSV file; its first line is the header.', required: true },
    'dry-run': { meaning: 'Check everything and write nothing.', flag: true },
    expire: { meaning: 'The end of their activation windows, such as 2030-01-31T12:00Z.' },
    answer: { meaning: 'A file for all rows with their results. Default: print failed rows only.' },
  },
  example:
    'printf "ID\\npump-7\\npump-8\\n" > pumps.csv && ' +
    'npx millrace device whitelist --connector demo --file pumps.csv --dry-run',
  routes: ['importIdentities'],
  async run({ connector, file, expire, answer, 'dry-run': dryRun }, context) {
    const { client, input, out, signal } = context
    const fields = {
      ...(dryRun && { dry_run: 'true' }),
      ...(expire !== undefined && { expire: String(microseconds('expire', expire)) }),
    }
    let isHeaderPrinted = false
    async function printFailed(header: string, rows: readonly string[]): Promise<void> {
      if (rows.length === 0 || answer !== undefined || out.isJson) return
      progress.hide()
      for (const row of isHeaderPrinted ? rows : [header, ...rows]) out.print(row)
      isHeaderPrinted = true
      await out.drained()
    }
    const options = { connector, file, answer, fields, input, signal, failed: printFailed }
    const taken = new FileImport(options)
    const api = await client()
    const progress = out.status(() => taken.state)
    try {
      const counts = await taken.run(api)
      progress.end()
      out.show(counts, () => formatSummary(counts, { answer, dryRun }))
      return counts.failed === 0 ? exitCodes.done : exitCodes.failed
    } catch (error) {
      progress.end()
      if (!signal.aborted) throw error
      out.note(`millrace: ${(error as Error).message}`)
      return exitCodes.interrupted
    }
  },
})

type Summary = { readonly answer: string | undefined; readonly dryRun: boolean }

function formatSummary(counts: RowCounts, { answer, dryRun }: Summary): string[] {
  const { total, added, changed, unchanged, failed } = counts
  const sum = `${added} added, ${changed} changed, ${unchanged} unchanged, ${failed} failed`
  return [
    `${total} rows: ${sum}${dryRun ? '; dry run, nothing was written' : ''}`,
    ...(answer === undefined ? [] : [`The results of all rows are in ${answer}.`]),
  ]
}
