import { Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { type ModuleDetails, readModuleDependants, removeModule } from '../../api/modules.ts'
import { Action } from '../../components/controls/action.tsx'
import { TextField } from '../../components/controls/fields.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { useRead } from '../../ui/live.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './marketplace.module.css'
import { marketTexts } from './texts.ts'

const texts = defineTexts({
  title: (name: string) => [`Remove ${name}?`, `${name} entfernen?`],
  free: [
    'No link uses it. Its configuration is lost.',
    'Keine Verknüpfung nutzt es. Seine Konfiguration geht verloren.',
  ],
  used: [
    'It cannot be removed while links use it. These do:',
    'Es kann nicht entfernt werden, solange es genutzt wird. Das sind:',
  ],
  more: (count: number) => [`and ${count} more`, `und ${count} weitere`],
  force: [
    'Type its name to remove it together with these links. Their signals stay.',
    'Geben Sie seinen Namen ein, um es mit diesen Verknüpfungen zu entfernen. Ihre Signale ' +
      'bleiben.',
  ],
  removeAll: ['Remove it with its links', 'Mit Verknüpfungen entfernen'],
})

type Props = {
  readonly module: ModuleDetails
  readonly onCancel: () => void
  readonly onDone: () => void
}

/** A dialogue that names the links of a module; with them it is removed only by its name. */
export function RemoveModule({ module: { id, name }, onCancel, onDone }: Props) {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const [typed, setTyped] = useState('')
  const { isBusy, error, run } = useChange<string | undefined>((client, confirm) =>
    removeModule(client, id, { confirm }),
  )
  const preview = useRead('module-dependants', readModuleDependants, [id])
  const links = preview.data?.dependants.find(({ kind }) => kind === 'links')
  const isReady = preview.data !== undefined && (links === undefined || typed === name)
  return (
    <Modal opened onClose={onCancel} title={t.title(name)} centered withCloseButton={false}>
      {preview.error !== null && <Trouble error={preview.error} />}
      {preview.data !== undefined && <Text size="sm">{links === undefined ? t.free : t.used}</Text>}
      {links !== undefined && (
        <>
          <ul className={styles.list}>
            {links.names.map((link) => (
              <li key={link}>{link}</li>
            ))}
            {links.count > links.names.length && (
              <li>{t.more(links.count - links.names.length)}</li>
            )}
          </ul>
          <TextField label={t.force} value={typed} autoComplete="off" onChange={setTyped} />
        </>
      )}
      {error !== null && <Trouble error={error} />}
      <Group justify="end" mt="md">
        <Action text={market.cancel} data-autofocus onClick={onCancel} />
        <Action
          text={links === undefined ? market.remove : t.removeAll}
          main
          color="red"
          disabled={!isReady}
          busy={isBusy}
          onClick={() => run(links === undefined ? undefined : typed, onDone)}
        />
      </Group>
    </Modal>
  )
}
