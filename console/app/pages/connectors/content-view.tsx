import { FileInput } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Connector } from '../../api/connectors.ts'
import {
  type Content,
  listContents,
  putContent,
  removeContent,
} from '../../api/provisioning/contents.ts'
import { Age } from '../../components/age.tsx'
import { SmallIcon } from '../../components/controls/action.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { FieldsForm } from '../../components/form/fields-form.tsx'
import { Named } from '../../components/table/list.tsx'
import { ListPane } from '../../components/table/list-pane.tsx'
import { useRead } from '../../ui/live-queries.ts'
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

/** The contents that devices of a connector may download, and the devices that shall. */
export function ContentView({ connector }: Props) {
  const contents = useRead('contents', listContents, [connector.id])
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
  const language = useLanguage()
  const [ask, question] = useAsk()
  const remove = (id: string) =>
    ask({
      title: t.question(id),
      action: t.action,
      loss: t.lost,
      work: (client) => removeContent(client, connector.id, id),
    })
  return (
    <ListPane
      title={t.title}
      query={contents}
      tools={<Upload connector={connector} />}
      itemKey={({ id }) => id}
      none={t.none}
      columns={[
        [t.id, ({ id, content_type: type }) => <Named name={id} of={type} />],
        [t.meta, ({ meta }) => meta],
        [t.size, ({ size }) => t.bytes(size.toLocaleString(language))],
        [
          t.changed,
          ({ id, updated }) => (
            <>
              <Age at={updated} />{' '}
              <SmallIcon icon="bin" label={t.remove(id)} onClick={() => remove(id)} />
            </>
          ),
        ],
      ]}
    >
      {question}
    </ListPane>
  )
}

function Upload({ connector }: Props) {
  const t = useTexts(texts)
  const [file, setFile] = useState<File | null>(null)
  return (
    <FieldsForm
      action={t.upload}
      disabled={file === null}
      fields={[
        <FileInput
          key="file"
          label={t.file}
          placeholder="firmware.bin"
          size="xs"
          w="14rem"
          value={file}
          onChange={setFile}
        />,
        { name: 'id', label: t.id, placeholder: file?.name ?? '' },
        { name: 'meta', label: t.meta, placeholder: '1.2.0' },
      ]}
      send={async (client, { id, meta }) =>
        file && putContent(client, connector.id, { id: id || file.name, meta, file })
      }
      onDone={(reset) => {
        reset()
        setFile(null)
      }}
    />
  )
}
