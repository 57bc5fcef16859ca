import { Text } from '@mantine/core'
import { Faint } from '../../../components/line.tsx'
import { List } from '../../../components/table/list.tsx'
import type { ImportResult } from '../../../ui/devices/whitelist-result.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  trial: ['Nothing was written. It would be:', 'Nichts wurde geschrieben. Es wären:'],
  written: ['Written:', 'Geschrieben:'],
  counts: (added: number, changed: number, unchanged: number, failed: number) => [
    `${added} added, ${changed} changed, ${unchanged} unchanged, ${failed} failed.`,
    `${added} neu, ${changed} geändert, ${unchanged} unverändert, ${failed} fehlgeschlagen.`,
  ],
  identity: ['ID', 'ID'],
  reason: ['Why it failed', 'Grund des Fehlschlags'],
  row: ['Row', 'Zeile'],
  more: (count: number) => [
    `and ${count} more: see the file with the results`,
    `und ${count} weitere: siehe die Datei mit den Ergebnissen`,
  ],
  correct: [
    'Correct them in the file with the results, and send that: its rows are taken again.',
    'Berichtigen Sie sie in der Datei mit den Ergebnissen und senden Sie diese: Ihre Zeilen ' +
      'werden wieder angenommen.',
  ],
})

const shownMax = 50

type Props = { readonly result: ImportResult; readonly isTrial: boolean }

/** The number of rows of a file that were written, and the rows that were not. */
export function CsvResult({ result: { counts, failed }, isTrial }: Props) {
  const t = useTexts(texts)
  const { added, changed, unchanged, failed: failures } = counts
  return (
    <div role="status">
      <Text size="sm" mt="xs">
        {isTrial ? t.trial : t.written} {t.counts(added, changed, unchanged, failures)}
      </Text>
      {failed.length > 0 && (
        <>
          <Text size="sm">{t.correct}</Text>
          <List
            items={failed.slice(0, shownMax)}
            itemKey={({ line }) => line}
            columns={[
              [t.identity, ({ id }) => id],
              [t.reason, ({ message }) => message],
              [t.row, ({ line }) => line],
            ]}
          />
          {failed.length > shownMax && <Faint>{t.more(failed.length - shownMax)}</Faint>}
        </>
      )}
    </div>
  )
}
