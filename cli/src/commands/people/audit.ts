import { type components, type MillraceClient, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { milliseconds, wholeNumber } from '../../input.ts'
import { columns, timeOf } from '../../output/output.ts'

type Entry = components['schemas']['AuditEntry']

const filterOptions = {
  from: { meaning: 'From this time on, such as 2030-01-31T12:00Z.' },
  to: { meaning: 'Before this time.' },
  subject: { meaning: 'user:<id>, token:<id> or operator; or the e-mail address or the name.' },
  source: { meaning: 'The program.', choices: ['console', 'cli', 'management', 'graphql'] },
  action: { meaning: 'The operation, such as deleteUser.' },
  outcome: { meaning: 'done, or the code of an error.' },
  text: { meaning: 'A part of what it was done to.' },
} as const

type FilterValues = { readonly [Name in keyof typeof filterOptions]: string | undefined }

function filterOf({ from, to, subject, source, action, outcome, text }: FilterValues) {
  return {
    ...(from !== undefined && { from: milliseconds('from', from) }),
    ...(to !== undefined && { to: milliseconds('to', to) }),
    ...(subject !== undefined && { subject }),
    ...(source !== undefined && { source }),
    ...(action !== undefined && { action }),
    ...(outcome !== undefined && { outcome }),
    ...(text !== undefined && { text }),
  }
}

const usPerMs = 1_000
const fields = [
  'at',
  'name',
  'subject',
  'source',
  'address',
  'action',
  'target',
  'outcome',
] as const

function cellsOf(entry: Entry): string[] {
  const shown = { ...entry, at: timeOf(entry.at * usPerMs) }
  return fields.map((field) => shown[field])
}

export const auditList = defineCommand({
  options: { ...filterOptions, rows: { meaning: 'The most rows.', default: '50' } },
  example: 'npx millrace audit list --rows 5',
  routes: ['listAudit'],
  async run({ rows, ...values }, { client, out }) {
    const api = await client()
    const query = { ...filterOf(values), limit: wholeNumber('rows', rows) }
    const { entries } = await unwrap(api.GET('/api:1/audit', { params: { query } }))
    out.show(entries, () => columns([[...fields], ...entries.map(cellsOf)]))
    return undefined
  },
})

const pageRows = 500

async function* pagesOf(api: MillraceClient, filter: ReturnType<typeof filterOf>) {
  let before: number | undefined
  for (;;) {
    const query = { ...filter, limit: pageRows, ...(before !== undefined && { before }) }
    const { entries } = await unwrap(api.GET('/api:1/audit', { params: { query } }))
    yield entries
    before = entries.at(-1)?.id
    if (entries.length < pageRows) return
  }
}

export const auditExport = defineCommand({
  options: filterOptions,
  example: 'npx millrace audit export > audit.csv',
  routes: ['listAudit'],
  async run(values, { client, out }) {
    const api = await client()
    out.print(fields.join(','))
    for await (const entries of pagesOf(api, filterOf(values))) {
      for (const entry of entries) out.print(cellsOf(entry).map(csvCell).join(','))
    }
    return undefined
  },
})

/** A spreadsheet runs what begins like a formula. */
function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
