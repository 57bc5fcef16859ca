import { Button, FileInput, Group, TextInput } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Connector } from '../../api/connectors.ts'
import {
  type Content,
  listContents,
  putContent,
  removeContent,
} from '../../api/provisioning/contents.ts'
import { Age } from '../../components/age.tsx'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Icon } from '../../components/icon.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { listEveryMs, useLive } from '../../ui/live.ts'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useLanguage, useTexts } from '../../ui/texts.ts'
import { CampaignsPane } from './campaigns-pane.tsx'
import styles from './settings/settings.module.css'

const texts = defineTexts({
  title: ['Content for devices', 'Inhalte für Geräte'],
  none: [
    'Nothing yet. Firmware and files that you upload here can be downloaded by the devices.',
    'Noch nichts. Firmware und Dateien, die Sie hier hochladen, können die Geräte herunterladen.',
  ],
  id: ['Id', 'Id'],
  meta: ['Version or note', 'Version oder Notiz'],
  size: ['Size', 'Größe'],
  changed: ['Changed', 'Geändert'],
  file: ['File', 'Datei'],
  upload: ['Upload', 'Hochladen'],
  remove: (id: string) => [`Delete ${id}`, `${id} löschen`],
  question: (id: string) => [`Delete ${id}?`, `${id} löschen?`],
  action: ['Delete', 'Löschen'],
  lost: [
    'Devices cannot download it any more. Downloads under way go on. Its campaigns end.',
    'Geräte können es nicht mehr herunterladen. Laufende Downloads gehen weiter. Seine ' +
      'Kampagnen enden.',
  ],
  bytes: (count: string) => [`${count} bytes`, `${count} Bytes`],
})

type Props = { readonly connector: Connector }

/** What the devices of a connector may download, and which of them shall. */
export function ContentView({ connector }: Props) {
  const contents = useLive({
    key: ['contents', connector.id],
    read: (client, signal) => listContents(client, connector.id, signal),
    everyMs: listEveryMs,
  })
  return (
    <div className={styles.stack}>
      <ContentsPane connector={connector} contents={contents} />
      {contents.data !== undefined && (
        <CampaignsPane connector={connector} contents={contents.data} />
      )}
    </div>
  )
}

type PaneProps = Props & { readonly contents: UseQueryResult<Content[]> }

function ContentsPane({ connector, contents }: PaneProps) {
  const t = useTexts(texts)
  const [removed, setRemoved] = useState<string>()
  return (
    <Pane title={t.title} query={contents} tools={<Upload connector={connector} />}>
      {(all) => (
        <>
          {all.length === 0 && <NextStep>{t.none}</NextStep>}
          {all.length > 0 && (
            <Table heads={[t.id, t.meta, t.size, t.changed]} narrow="stacked">
              {all.map((one) => (
                <Row key={one.id} content={one} onRemove={() => setRemoved(one.id)} />
              ))}
            </Table>
          )}
          {removed !== undefined && (
            <Remove connector={connector} id={removed} onDone={() => setRemoved(undefined)} />
          )}
        </>
      )}
    </Pane>
  )
}

function Row({ content, onRemove }: { readonly content: Content; readonly onRemove: () => void }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { id, content_type: type, size, meta, updated } = content
  return (
    <tr>
      <td>
        {id}
        <Faint>{type}</Faint>
      </td>
      <td data-label={t.meta}>{meta}</td>
      <td data-label={t.size}>{t.bytes(size.toLocaleString(language))}</td>
      <td>
        <Age at={updated} />{' '}
        <Button variant="default" size="compact-xs" aria-label={t.remove(id)} onClick={onRemove}>
          <Icon name="bin" size={14} />
        </Button>
      </td>
    </tr>
  )
}

type Wanted = { readonly id: string; readonly meta: string; readonly file: File }

function Upload({ connector }: Props) {
  const t = useTexts(texts)
  const [file, setFile] = useState<File | null>(null)
  const [id, setId] = useState('')
  const { isBusy, error, run } = useChange<Wanted>((client, wanted) =>
    putContent(client, connector.id, wanted),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const meta = textOf(new FormData(form), 'meta')
    if (file === null) return
    run({ id: id.trim() || file.name, meta, file }, () => {
      form.reset()
      setFile(null)
      setId('')
    })
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="end" mb="xs">
        <FileInput
          label={t.file}
          placeholder="firmware.bin"
          size="xs"
          w="14rem"
          value={file}
          onChange={setFile}
        />
        <TextInput
          label={t.id}
          size="xs"
          placeholder={file?.name ?? ''}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        <TextInput label={t.meta} name="meta" size="xs" placeholder="1.2.0" />
        <Button type="submit" size="xs" loading={isBusy} disabled={file === null}>
          {t.upload}
        </Button>
      </Group>
      {error !== null && <Trouble error={error} />}
    </form>
  )
}

type RemoveProps = Props & { readonly id: string; readonly onDone: () => void }

function Remove({ connector, id, onDone }: RemoveProps) {
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<string>((client, content) =>
    removeContent(client, connector.id, content),
  )
  return (
    <Confirm
      opened
      title={t.question(id)}
      action={t.action}
      {...{ isBusy, error }}
      onCancel={onDone}
      onConfirm={() => run(id, onDone)}
    >
      {t.lost}
    </Confirm>
  )
}
