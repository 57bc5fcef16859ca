import { Button, FileInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Solution } from '../../../api/notifications.ts'
import {
  deleteStaticFile,
  listStaticFiles,
  type StaticFile,
  uploadStaticFile,
} from '../../../api/solutions.ts'
import { Age } from '../../../components/age.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Table } from '../../../components/table/table.tsx'
import { useChange } from '../../../ui/change.ts'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { defineTexts, useLanguage, useTexts } from '../../../ui/texts.ts'
import { ConfirmedButton } from '../confirmed-button.tsx'
import styles from '../solutions.module.css'

const texts = defineTexts({
  title: ['Static files', 'Statische Dateien'],
  none: [
    'There is no file yet. The web service of the solution serves what is uploaded here.',
    'Es gibt noch keine Datei. Der Webdienst der Lösung liefert, was hier liegt.',
  ],
  upload: ['Upload a file', 'Datei hochladen'],
  send: ['Upload', 'Hochladen'],
  file: ['File', 'Datei'],
  fileWanted: ['Choose a file.', 'Wählen Sie eine Datei.'],
  path: ['Path', 'Pfad'],
  pathAbout: [
    'Its place in the addresses of the solution. A file there is replaced.',
    'Ihr Ort in den Adressen der Lösung. Eine Datei dort wird ersetzt.',
  ],
  pathWanted: ['A file needs a path.', 'Eine Datei braucht einen Pfad.'],
  type: ['Type', 'Art'],
  size: ['Size', 'Größe'],
  changed: ['Changed', 'Geändert'],
  actions: ['Actions', 'Aktionen'],
  remove: ['Delete', 'Löschen'],
  removeTitle: (path: string) => [`Delete ${path}?`, `${path} löschen?`],
  lost: [
    'Its bytes are lost, and its address answers 404.',
    'Ihre Bytes gehen verloren, und ihre Adresse antwortet mit 404.',
  ],
  bytes: (text: string) => [`${text} bytes`, `${text} Bytes`],
})

/** The files that a solution serves as they are. */
export function StaticView({ solution: { id } }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const [isUploading, setUploading] = useState(false)
  const files = useLive({
    key: ['static', id],
    read: (client, signal) => listStaticFiles(client, id, signal),
    everyMs: listEveryMs,
  })
  return (
    <Pane
      title={t.title}
      query={files}
      aside={
        <Button size="xs" variant="default" onClick={() => setUploading(true)}>
          {t.upload}
        </Button>
      }
    >
      {(all) => (
        <>
          {all.length === 0 ? (
            <NextStep>{t.none}</NextStep>
          ) : (
            <Table heads={[t.path, t.type, t.size, t.changed, t.actions]} narrow="stacked">
              {all.map((one) => (
                <Row key={one.path} solution={id} file={one} />
              ))}
            </Table>
          )}
          {isUploading && <UploadDialog solution={id} onClose={() => setUploading(false)} />}
        </>
      )}
    </Pane>
  )
}

type RowProps = { readonly solution: string; readonly file: StaticFile }

function Row({ solution, file }: RowProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { path, content_type: type, size, updated_at: changedAt } = file
  const remove = useChange<void>((client) => deleteStaticFile(client, solution, path))
  return (
    <tr>
      <td className={styles.name}>{path}</td>
      <td data-label={t.type}>{type}</td>
      <td data-label={t.size}>{t.bytes(size.toLocaleString(language))}</td>
      <td data-label={t.changed}>
        <Age at={changedAt} />
      </td>
      <td>
        <ConfirmedButton
          action={t.remove}
          title={t.removeTitle(path)}
          lost={t.lost}
          change={remove}
        />
      </td>
    </tr>
  )
}

type UploadProps = { readonly solution: string; readonly onClose: () => void }

function UploadDialog({ solution, onClose }: UploadProps) {
  const t = useTexts(texts)
  const [file, setFile] = useState<File | null>(null)
  const [path, setPath] = useState('')
  const [isTried, setTried] = useState(false)
  const upload = useChange<File>((client, bytes) =>
    uploadStaticFile(client, solution, path.trim(), bytes),
  )
  return (
    <FormDialog
      title={t.upload}
      action={t.send}
      isBusy={upload.isBusy}
      error={upload.error}
      onSubmit={() => {
        setTried(true)
        if (file !== null && path.trim() !== '') upload.run(file, onClose)
      }}
      onClose={onClose}
    >
      <FileInput
        label={t.file}
        value={file}
        error={isTried && file === null && t.fileWanted}
        onChange={(chosen) => {
          setFile(chosen)
          if (chosen !== null && path === '') setPath(chosen.name)
        }}
      />
      <TextInput
        label={t.path}
        description={t.pathAbout}
        value={path}
        error={isTried && path.trim() === '' && t.pathWanted}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
