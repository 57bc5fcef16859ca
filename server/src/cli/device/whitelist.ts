import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { CsvImport, ImportInput } from '../../provisioning/index.ts'
import { type Command, print, UsageError, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { startProgress } from '../terminal.ts'

export const deviceWhitelist: Command = {
  name: 'device whitelist',
  summary: 'Whitelist the identities of a CSV file (columns ID, TLS Client Certificate, Tags).',
  options: {
    connector: connectorOption,
    file: { meaning: 'The CSV file; its first line is the header.', required: true },
    'dry-run': { meaning: 'Check everything and write nothing.', flag: true },
    expire: { meaning: 'The end of their activation windows, such as 2030-01-31T12:00Z.' },
    answer: { meaning: 'A file for all rows with their results. Default: print failed rows only.' },
    business: businessOption,
  },
  example:
    'printf "ID\\npump-7\\npump-8\\n" > pumps.csv && ' +
    'npx millrace device whitelist --connector demo --file pumps.csv --dry-run',
  run: ({ connector = '', business, file = '', expire, answer, 'dry-run': dryRun }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const input = {
        dryRun: dryRun === 'yes',
        ...(expire !== undefined && { expire: microseconds('expire', expire) }),
      }
      const csv = { open: () => createReadStream(file) }
      const open = (asked: ImportInput) =>
        platform.provisioning.identities.importCsv(id, connector, csv, asked)
      const taken = await open(input)
      const progress = startProgress(taken.counts)
      await (answer === undefined ? printFailed(taken) : writeAnswer(taken, answer))
      progress.end()
      const { failed, ...counts } = taken.counts()
      const { total, added, changed, unchanged } = counts
      print(
        `${total} rows: ${added} added, ${changed} changed, ${unchanged} unchanged, ` +
          `${failed} failed${input.dryRun ? '; dry run, nothing was written' : ''}`,
      )
      return failed === 0 ? 0 : 1
    }),
}

/** A time as people write it, in microseconds. @throws UsageError */
function microseconds(name: string, text: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new UsageError(`--${name} is a time, such as 2030-01-31T12:00Z`)
  return ms * 1_000
}

/** The header comes first, and is worth a line only where a row comes after it. */
async function printFailed(taken: CsvImport): Promise<void> {
  let header = ''
  for await (const text of taken.answer('failed')) {
    if (header === '') header = text
    else if (text !== '') {
      process.stdout.write(header === printed ? text : `${header}${text}`)
      header = printed
    }
  }
}

const printed = '\n'

/** Beside its place until it is whole, so that it may take the place of the file that is read. */
async function writeAnswer(taken: CsvImport, answer: string): Promise<void> {
  await pipeline(taken.answer(), createWriteStream(`${answer}.new`))
  await rename(`${answer}.new`, answer)
}
