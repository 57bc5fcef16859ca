import { Button, Modal, NativeSelect, Group as Row, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Asset, changeAsset, readDependants, removeAsset } from '../../api/assets.ts'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { byIdOf, pathOf, useGroups } from '../../components/groups/groups.ts'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { listEveryMs, useLive } from '../../ui/live.ts'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  rename: ['Rename', 'Umbenennen'],
  move: ['Move to a group', 'In eine Gruppe verschieben'],
  remove: ['Delete', 'Löschen'],
  name: ['Name', 'Name'],
  group: ['Group', 'Gruppe'],
  save: ['Save', 'Speichern'],
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
  const { isBusy, error, run } = useChange<string>((client, name) =>
    changeAsset(client, asset.id, { name }),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    run(textOf(new FormData(event.currentTarget), 'name'), onClose)
  }
  return (
    <Modal opened onClose={onClose} title={t.rename} withCloseButton={false}>
      <form onSubmit={submit}>
        <TextInput
          name="name"
          label={t.name}
          required
          maxLength={200}
          defaultValue={asset.name}
          data-autofocus
        />
        {error !== null && <Trouble error={error} />}
        <Row justify="end" mt="md">
          <Button type="submit" size="xs" loading={isBusy}>
            {t.save}
          </Button>
        </Row>
      </form>
    </Modal>
  )
}

/** Puts an asset into another group. */
export function MoveAsset({ asset, onClose }: Props) {
  const t = useTexts(texts)
  const groups = useGroups()
  const [groupId, setGroupId] = useState(asset.group?.id ?? '')
  const { isBusy, error, run } = useChange<void>((client) =>
    changeAsset(client, asset.id, { groupId }),
  )
  return (
    <Modal opened onClose={onClose} title={t.move} withCloseButton={false}>
      <NativeSelect
        label={t.group}
        value={groupId}
        data={(groups.data ?? []).map((one) => ({
          value: one.id,
          label: pathOf(one, byIdOf(groups.data)),
        }))}
        onChange={(event) => setGroupId(event.currentTarget.value)}
        data-autofocus
      />
      {error !== null && <Trouble error={error} />}
      <Row justify="end" mt="md">
        <Button size="xs" loading={isBusy} onClick={() => run(undefined, onClose)}>
          {t.save}
        </Button>
      </Row>
    </Modal>
  )
}

const namesShown = 5

type RemoveProps = Props & { readonly onRemoved?: (() => void) | undefined }

/** Asks before an asset is removed, and names what goes with it. */
export function RemoveAsset({ asset, onClose, onRemoved }: RemoveProps) {
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<void>((client) => removeAsset(client, asset.id))
  const { data } = useLive({
    key: ['dependants', asset.id],
    read: (client, signal) => readDependants(client, asset.id, signal),
    everyMs: listEveryMs,
  })
  const some = (names: readonly string[]) => {
    const shown = names.slice(0, namesShown).join(', ')
    return names.length > namesShown ? t.more(shown, names.length - namesShown) : shown
  }
  const remove = () =>
    run(undefined, () => {
      onClose()
      onRemoved?.()
    })
  return (
    <Confirm
      opened
      title={t.removeTitle(asset.name)}
      action={t.remove}
      isBusy={isBusy}
      error={error}
      onConfirm={remove}
      onCancel={onClose}
    >
      {t.lost} {data !== undefined && data.signals.length > 0 && t.signals(some(data.signals))}{' '}
      {data !== undefined && data.links.length > 0 && t.links(some(data.links))}
    </Confirm>
  )
}
