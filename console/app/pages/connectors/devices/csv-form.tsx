import { FileInput, Group, Paper, Progress, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { Connector } from '../../../api/connectors.ts'
import { importIdentities } from '../../../api/provisioning/whitelist.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { type ImportResult, parseResult } from '../../../ui/devices/whitelist-result.ts'
import { saveFile } from '../../../ui/files.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../settings/settings.module.css'
import { CsvResult } from './csv-result.tsx'

const texts = defineTexts({
  file: ['CSV file of identities', 'CSV-Datei mit Identitäten'],
  hint: [
    'Columns: ID, and as you like TLS Client Certificate and Tags (JSON).',
    'Spalten: ID, dazu nach Wunsch TLS Client Certificate und Tags (JSON).',
  ],
  check: ['Check only', 'Nur prüfen'],
  send: ['Whitelist them', 'Freigeben'],
  rows: (count: number) => [`${count} rows answered`, `${count} Zeilen beantwortet`],
  stop: ['Stop', 'Anhalten'],
  correct: ['Download the rows with their results', 'Zeilen mit Ergebnis herunterladen'],
})

type Props = { readonly connector: Connector; readonly onClose: () => void }
type Sent = { readonly file: File; readonly isTrial: boolean }
type Done = { readonly answer: string; readonly isTrial: boolean; readonly result: ImportResult }

/** Whitelists the identities of a file: checked first if wanted, with a result for each row. */
export function CsvForm({ connector, onClose }: Props) {
  const t = useTexts(texts)
  const [file, setFile] = useState<File | null>(null)
  const [total, setTotal] = useState(0)
  const [rows, setRows] = useState(0)
  const [done, setDone] = useState<Done>()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const { isBusy, error, run, reset } = useChange<Sent>(async (client, { file: sent, isTrial }) => {
    stop.current = new AbortController()
    setRows(0)
    setDone(undefined)
    setTotal((await sent.text()).split('\n').length)
    const { signal } = stop.current
    const wanted = { file: sent, isTrial, onRows: setRows, signal }
    const answer = await importIdentities(client, connector.id, wanted)
    setDone({ answer, isTrial, result: parseResult(answer) })
  })
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setDone(undefined)
    reset()
  }
  const send = (isTrial: boolean) => file !== null && run({ file, isTrial })
  return (
    <Paper withBorder p="sm" mb="sm" className={styles.card}>
      <FileInput
        label={t.file}
        description={t.hint}
        placeholder="devices.csv"
        accept="text/csv,.csv"
        size="xs"
        value={file}
        onChange={choose}
      />
      {isBusy && <Rows rows={rows} total={total} />}
      {error !== null && !stop.current.signal.aborted && <Trouble error={error} />}
      {done !== undefined && <CsvResult result={done.result} isTrial={done.isTrial} />}
      <Group gap="xs" mt="sm">
        <Action
          text={t.send}
          main
          disabled={file === null}
          busy={isBusy}
          onClick={() => send(false)}
        />
        <Action text={t.check} disabled={file === null || isBusy} onClick={() => send(true)} />
        {done !== undefined && (
          <Action
            text={t.correct}
            icon="download"
            onClick={() => saveFile(`${connector.id}-devices.csv`, 'text/csv', done.answer)}
          />
        )}
        <Action
          text={isBusy ? t.stop : t.close}
          onClick={isBusy ? () => stop.current.abort() : onClose}
        />
      </Group>
    </Paper>
  )
}

function Rows({ rows, total }: { readonly rows: number; readonly total: number }) {
  const t = useTexts(texts)
  return (
    <>
      <Progress value={(100 * rows) / Math.max(1, total)} mt="xs" aria-label={t.rows(rows)} />
      <Text size="sm">{t.rows(rows)}</Text>
    </>
  )
}
