import { Text } from '@mantine/core'
import type { AssetImport } from '../../../api/asset-files.ts'
import { Badge } from '../../../components/badge.tsx'
import { Faint } from '../../../components/line.tsx'
import { Table } from '../../../components/table/table.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { readName } from './failed-rows.ts'

const texts = defineTexts({
  trial: ['Nothing was written. It would be:', 'Nichts wurde geschrieben. Es wären:'],
  written: ['Written:', 'Geschrieben:'],
  counts: ({ created, changed, unchanged, failed }: AssetImport) => [
    `${created} created, ${changed} changed, ${unchanged} unchanged, ${failed} failed.`,
    `${created} angelegt, ${changed} geändert, ${unchanged} unverändert, ` +
      `${failed} fehlgeschlagen.`,
  ],
  result: ['Result', 'Ergebnis'],
  row: ['Row', 'Zeile'],
  created: ['created', 'angelegt'],
  changed: ['changed', 'geändert'],
  unchanged: ['unchanged', 'unverändert'],
  more: (count: number) => [`and ${count} more`, `und ${count} weitere`],
  correct: [
    'Correct the failed rows in their file, and import that.',
    'Berichtigen Sie die fehlgeschlagenen Zeilen in ihrer Datei und importieren Sie diese.',
  ],
})

const shownMax = 100
const tones = { created: 'good', changed: 'good', unchanged: 'quiet', failed: 'bad' } as const

type Props = {
  readonly isTrial: boolean
  readonly result: AssetImport
  /** The rows of the file, the header first. */
  readonly rows: readonly (readonly string[])[]
}

/** The number of rows that were followed, and the result of each: those that failed first. */
export function ImportResult({ isTrial, result, rows }: Props) {
  const t = useTexts(texts)
  const isFailed = ({ status }: AssetImport['rows'][number]) => status === 'failed'
  const ordered = result.rows.toSorted((a, b) => Number(isFailed(b)) - Number(isFailed(a)))
  return (
    <div role="status">
      <Text size="sm" mt="sm">
        {isTrial ? t.trial : t.written} {t.counts(result)}
      </Text>
      {result.failed > 0 && <Text size="sm">{t.correct}</Text>}
      <Table heads={[t.asset, t.result, t.row]} narrow="stacked">
        {ordered.slice(0, shownMax).map(({ row, status, message }) => (
          <tr key={row}>
            <td style={{ overflowWrap: 'anywhere' }}>{readName(rows, row)}</td>
            <td data-label={t.result}>
              <Badge tone={tones[status]} text={t[status]} /> {message}
            </td>
            <td data-label={t.row}>{row}</td>
          </tr>
        ))}
      </Table>
      {ordered.length > shownMax && <Faint>{t.more(ordered.length - shownMax)}</Faint>}
    </div>
  )
}
