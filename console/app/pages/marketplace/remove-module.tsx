import { List } from '@mantine/core'
import { useState } from 'react'
import { type ModuleDetails, readModuleDependants, removeModule } from '../../api/modules.ts'
import { TextField } from '../../components/controls/fields.tsx'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { useChange } from '../../ui/change.ts'
import { useRead } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

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
  const [typed, setTyped] = useState('')
  const { isBusy, error, run } = useChange<string | undefined>((client, confirm) =>
    removeModule(client, id, { confirm }),
  )
  const preview = useRead('module-dependants', readModuleDependants, [id])
  const links = preview.data?.dependants.find(({ kind }) => kind === 'links')
  return (
    <Confirm
      opened
      title={t.title(name)}
      action={links === undefined ? t.remove : t.removeAll}
      mayConfirm={preview.data !== undefined && (links === undefined || typed === name)}
      {...{ isBusy, error: error ?? preview.error, onCancel }}
      onConfirm={() => run(links === undefined ? undefined : typed, onDone)}
    >
      {preview.data !== undefined && (links === undefined ? t.free : t.used)}
      {links !== undefined && (
        <>
          <NameList names={links.names} count={links.count} />
          <TextField label={t.force} value={typed} autoComplete="off" onChange={setTyped} />
        </>
      )}
    </Confirm>
  )
}

type NamesProps = { readonly names: readonly string[]; readonly count: number }

/** The first names of a longer list, and how many there are besides. */
export function NameList({ names, count }: NamesProps) {
  const t = useTexts(texts)
  return (
    <List size="sm" my={4} style={{ overflowWrap: 'anywhere' }}>
      {names.map((name) => (
        <List.Item key={name} dir="auto">
          {name}
        </List.Item>
      ))}
      {count > names.length && <List.Item>{t.more(count - names.length)}</List.Item>}
    </List>
  )
}
