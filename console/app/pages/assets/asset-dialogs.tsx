import { NativeSelect } from '@mantine/core'
import { type Asset, changeAsset, readDependants, removeAsset } from '../../api/assets.ts'
import { Question } from '../../components/dialogs/confirm.tsx'
import { FieldsDialog } from '../../components/form/fields-dialog.tsx'
import { toChoices, useGroups } from '../../components/groups/groups.ts'
import { useRead } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  rename: ['Rename', 'Umbenennen'],
  move: ['Move to a group', 'In eine Gruppe verschieben'],
  removeTitle: (name: string) => [`Delete ${name}?`, `${name} löschen?`],
  lost: [
    'The asset goes with its values, its conditions and its log. It cannot be undone.',
    'Mit der Anlage gehen ihre Werte, ihre Zustände und ihr Protokoll verloren. Das lässt ' +
      'sich nicht rückgängig machen.',
  ],
  signals: (names: string) => [`Its signals: ${names}.`, `Ihre Signale: ${names}.`],
  links: (names: string) => [`Its functions: ${names}.`, `Ihre Funktionen: ${names}.`],
  more: (names: string, count: number) => [
    `${names} and ${count} more`,
    `${names} und ${count} weitere`,
  ],
})

type Props = { readonly asset: Asset; readonly onClose: () => void }

/** Gives an asset another name. */
export function RenameAsset({ asset, onClose }: Props) {
  const t = useTexts(texts)
  return (
    <FieldsDialog
      title={t.rename}
      action={t.save}
      fields={[{ name: 'name', label: t.name, required: true, maxLength: 200, value: asset.name }]}
      send={(client, { name }) => changeAsset(client, { id: asset.id, input: { name } })}
      onClose={onClose}
    />
  )
}

/** Puts an asset into another group. */
export function MoveAsset({ asset, onClose }: Props) {
  const t = useTexts(texts)
  const data = toChoices(useGroups().data)
  return (
    <FieldsDialog
      title={t.move}
      action={t.save}
      fields={[{ name: 'group', as: NativeSelect, label: t.group, value: asset.group?.id, data }]}
      send={(client, { group }) => changeAsset(client, { id: asset.id, input: { groupId: group } })}
      onClose={onClose}
    />
  )
}

const namesShown = 5

type RemoveProps = Props & { readonly onRemoved?: (() => void) | undefined }

/** Asks before an asset is removed, and names what goes with it. */
export function RemoveAsset({ asset, onClose, onRemoved }: RemoveProps) {
  const t = useTexts(texts)
  const { data } = useRead('dependants', readDependants, [{ id: asset.id }])
  const { signals, links } = data ?? { signals: [], links: [] }
  const some = (all: readonly { readonly name: string }[]) => {
    const shown = all
      .slice(0, namesShown)
      .map(({ name }) => name)
      .join(', ')
    return all.length > namesShown ? t.more(shown, all.length - namesShown) : shown
  }
  return (
    <Question
      title={t.removeTitle(asset.name)}
      action={t.delete}
      loss={
        <>
          {t.lost} {signals.length > 0 && t.signals(some(signals))}{' '}
          {links.length > 0 && t.links(some(links))}
        </>
      }
      work={(client) => removeAsset(client, { id: asset.id })}
      {...{ onClose, onDone: onRemoved }}
    />
  )
}
