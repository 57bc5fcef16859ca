import { FileInput } from '@mantine/core'
import { useState } from 'react'
import type { Solution } from '../../../api/notifications.ts'
import { deleteStaticFile, listStaticFiles, uploadStaticFile } from '../../../api/solutions.ts'
import { Age } from '../../../components/age.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { TextField } from '../../../components/controls/fields.tsx'
import { AskedAction } from '../../../components/dialogs/confirm.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Pane } from '../../../components/pane.tsx'
import { List } from '../../../components/table/list.tsx'
import { useChange } from '../../../ui/change.ts'
import { useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useLanguage, useTexts } from '../../../ui/texts.ts'
import styles from '../solutions.module.css'

const texts = defineTexts({
  title: ['Static files', 'Statische Dateien'],
  none: [
    'There is no file yet. The web service of the solution serves what is uploaded here.',
    'Es gibt noch keine Datei. Der Webdienst der Lösung liefert, was hier liegt.',
  ],
  upload: ['Upload a file', 'Datei hochladen'],
  send: ['Upload', 'Hochladen'],
  fileWanted: ['Choose a file.', 'Wählen Sie eine Datei.'],
  path: ['Path', 'Pfad'],
  pathAbout: [
    'Its place in the addresses of the solution. A file there is replaced.',
    'Ihr Ort in den Adressen der Lösung. Eine Datei dort wird ersetzt.',
  ],
  pathWanted: ['A file needs a path.', 'Eine Datei braucht einen Pfad.'],
  type: ['Type', 'Art'],
  size: ['Size', 'Größe'],
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
  const language = useLanguage()
  const [isUploading, setUploading] = useState(false)
  const files = useRead('static', listStaticFiles, [id])
  return (
    <Pane
      title={t.title}
      query={files}
      aside={<Action text={t.upload} onClick={() => setUploading(true)} />}
    >
      {(all) => (
        <>
          <List
            items={all}
            itemKey={({ path }) => path}
            none={t.none}
            columns={[
              [t.path, ({ path }) => <span className={styles.name}>{path}</span>],
              [t.type, (one) => one.content_type],
              [t.size, ({ size }) => t.bytes(size.toLocaleString(language))],
              [t.changed, (one) => <Age at={one.updated_at} />],
              [
                t.actions,
                ({ path }) => (
                  <AskedAction
                    action={t.delete}
                    title={t.removeTitle(path)}
                    loss={t.lost}
                    work={(client) => deleteStaticFile(client, id, path)}
                  />
                ),
              ],
            ]}
          />
          {isUploading && <UploadDialog solution={id} onClose={() => setUploading(false)} />}
        </>
      )}
    </Pane>
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
      <TextField
        label={t.path}
        description={t.pathAbout}
        value={path}
        error={isTried && path.trim() === '' && t.pathWanted}
        size="sm"
        onChange={setPath}
      />
    </FormDialog>
  )
}
