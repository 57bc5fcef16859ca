import { FileInput, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { type AssetImport, importAssets } from '../../../api/asset-files.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { parseCsv, saveFile } from '../../../ui/files.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { formatFailedRows } from './failed-rows.ts'
import { ImportResult } from './import-result.tsx'

const texts = defineTexts({
  title: ['Import assets', 'Anlagen importieren'],
  file: ['CSV file of assets', 'CSV-Datei mit Anlagen'],
  hint: [
    'The columns are those of an export; one of name and id is needed. A row with an id ' +
      'changes that asset, a row without makes one.',
    'Die Spalten sind die eines Exports; name oder id ist nötig. Eine Zeile mit id ändert ' +
      'diese Anlage, eine ohne legt eine an.',
  ],
  check: ['Check only', 'Nur prüfen'],
  send: ['Import', 'Importieren'],
  failed: ['Download the failed rows', 'Fehlgeschlagene Zeilen herunterladen'],
})

type Sent = { readonly file: File; readonly isTrial: boolean }

/** The answer to a file, and its rows. */
type Done = {
  readonly isTrial: boolean
  readonly result: AssetImport
  /** The header first. */
  readonly rows: readonly (readonly string[])[]
}

/** Makes and changes assets by a file: checked first if wanted, with a result for each row. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts)
  const [file, setFile] = useState<File | null>(null)
  const [done, setDone] = useState<Done>()
  const { isBusy, error, run, reset } = useChange<Sent>(async (client, { file: sent, isTrial }) => {
    setDone(undefined)
    const result = await importAssets(client, sent, isTrial)
    setDone({ isTrial, result, rows: parseCsv(await sent.text()) })
  })
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setDone(undefined)
    reset()
  }
  const send = (isTrial: boolean) => file !== null && run({ file, isTrial })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.title}
      size="lg"
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <FileInput
        label={t.file}
        description={t.hint}
        placeholder="assets.csv"
        accept="text/csv,.csv"
        value={file}
        onChange={choose}
        data-autofocus
      />
      {error !== null && <Trouble error={error} />}
      {done !== undefined && <ImportResult {...done} />}
      <Group gap="xs" mt="md" justify="end">
        {done !== undefined && done.result.failed > 0 && (
          <Action
            text={t.failed}
            icon="download"
            onClick={() =>
              saveFile('failed-assets.csv', 'text/csv', formatFailedRows(done.rows, done.result))
            }
          />
        )}
        <Action text={t.close} onClick={onClose} />
        <Action text={t.check} disabled={file === null || isBusy} onClick={() => send(true)} />
        <Action
          text={t.send}
          main
          disabled={file === null}
          busy={isBusy}
          onClick={() => send(false)}
        />
      </Group>
    </Modal>
  )
}
