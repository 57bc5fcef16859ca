import { writeFile } from 'node:fs/promises'
import { type components, errorIn, fillPath, readJson, upload } from '@millrace/client'
import { command, exitCodes } from '../../command.ts'
import { outputOption } from '../../file.ts'

type Imported = components['schemas']['AssetImport']

/** The rows are followed one by one before the answer begins. */
const answerMsMax = 600_000

/** The commands of assets as files. */
export const commands = {
  'asset export': command('Print the assets of a business as CSV.', {
    options: {
      group: { meaning: 'Export assets of this group and those below it.' },
      text: { meaning: 'Export assets whose name or description has these letters.' },
      level: {
        meaning: 'Export assets at this level now: normal, info, warning, critical or error.',
      },
      template: { meaning: 'Export assets that were made from the template with this id.' },
      output: outputOption,
    },
    example: 'npx millrace asset export > assets.csv',
    routes: ['exportAssets'],
    async run({ output, group, text, level, template }, { client, input, out }) {
      const api = await client()
      const query = { group, text, level, template }
      const response = await api.request(fillPath('/api:1/assets/export', { query }))
      if (!response.ok) throw await errorIn(response)
      const csv = await response.text()
      if (output === undefined) out.print(csv.replaceAll('\r\n', '\n').trimEnd())
      else await writeFile(input.path(output), csv)
    },
  }),
  'asset import': command('Make and change assets by the rows of a CSV file.', {
    options: {
      file: {
        meaning: 'The CSV file, as asset export writes it; - is standard input.',
        required: true,
      },
      'dry-run': { meaning: 'Check everything and write nothing.', flag: true },
    },
    operand: 'file',
    example:
      'printf "name\\nPump 7\\nPump 8\\n" > new.csv && npx millrace asset import new.csv --dry-run',
    routes: ['importAssets'],
    async run({ file, 'dry-run': dryRun }, { client, input, out, signal }) {
      const api = await client({ timeoutMs: answerMsMax })
      const handle = file === '-' ? undefined : await input.openFile('file', file, 'r')
      try {
        const source = handle?.createReadStream({ autoClose: false }) ?? input.stdin
        const path = `/api:1/assets/import${dryRun ? '?dry_run=true' : ''}`
        const answer = await upload(api, path, source, {
          method: 'POST',
          contentType: 'text/csv',
          timeoutMs: answerMsMax,
          signal,
        })
        const result = (await readJson(answer)) as Imported
        out.show(result, () => formatImport(result, dryRun))
        return result.failed === 0 ? exitCodes.done : exitCodes.failed
      } finally {
        await handle?.close()
      }
    },
  }),
}

function formatImport(result: Imported, dryRun: boolean): string[] {
  const { total, created, changed, unchanged, failed, rows } = result
  const noted = rows.filter(({ message }) => message !== undefined)
  const sum = `${created} created, ${changed} changed, ${unchanged} unchanged, ${failed} failed`
  return [
    ...noted.map(({ row, code, status, message }) => `row ${row}: ${code ?? status}: ${message}`),
    `${total} rows: ${sum}${dryRun ? '; dry run, nothing was written' : ''}`,
  ]
}
