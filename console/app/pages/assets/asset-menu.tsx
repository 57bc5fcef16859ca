import {
  ActionIcon,
  Button,
  Menu,
  Modal,
  NativeSelect,
  Group as Row,
  TextInput,
} from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Asset, changeAsset, readDependants, removeAsset } from '../../api/assets.ts'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { byIdOf, pathOf, useGroups } from '../../components/groups/groups.ts'
import { Icon } from '../../components/icon.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { listEveryMs, useLive } from '../../ui/live.ts'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { NewTemplateDialog } from './templates/new-template-dialog.tsx'
import { useMayTemplate } from './templates/use-templates.ts'

const texts = defineTexts(
  {
    actions: (name: string) => `Actions for ${name}`,
    rename: 'Rename',
    move: 'Move to a group',
    template: 'Make a template of it',
    lock: 'Lock',
    unlock: 'Unlock',
    remove: 'Delete',
    name: 'Name',
    group: 'Group',
    save: 'Save',
    removeTitle: (name: string) => `Delete ${name}?`,
    lost: 'The asset goes with its values, its conditions and its log. It cannot be undone.',
    signals: (names: string) => `Its signals: ${names}.`,
    links: (names: string) => `Its functions: ${names}.`,
    more: (names: string, count: number) => `${names} and ${count} more`,
  },
  {
    de: {
      actions: (name: string) => `Aktionen für ${name}`,
      rename: 'Umbenennen',
      move: 'In eine Gruppe verschieben',
      template: 'Eine Vorlage daraus machen',
      lock: 'Sperren',
      unlock: 'Entsperren',
      remove: 'Löschen',
      name: 'Name',
      group: 'Gruppe',
      save: 'Speichern',
      removeTitle: (name: string) => `${name} löschen?`,
      lost:
        'Mit der Anlage gehen ihre Werte, ihre Zustände und ihr Protokoll verloren. ' +
        'Das lässt sich nicht rückgängig machen.',
      signals: (names: string) => `Ihre Signale: ${names}.`,
      links: (names: string) => `Ihre Funktionen: ${names}.`,
      more: (names: string, count: number) => `${names} und ${count} weitere`,
    },
  },
)

type Props = { readonly asset: Asset; readonly onRemoved?: (() => void) | undefined }

/** What may be done with an asset. One that is locked takes no change but its unlocking. */
export function AssetMenu({ asset, onRemoved }: Props) {
  const t = useTexts(texts)
  const [open, setOpen] = useState<'rename' | 'move' | 'template' | 'remove'>()
  const mayTemplate = useMayTemplate()
  const { run } = useChange<boolean>((client, locked) => changeAsset(client, asset.id, { locked }))
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="sm" aria-label={t.actions(asset.name)}>
            <Icon name="pen" size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!asset.locked && (
            <>
              <Menu.Item onClick={() => setOpen('rename')}>{t.rename}</Menu.Item>
              <Menu.Item onClick={() => setOpen('move')}>{t.move}</Menu.Item>
            </>
          )}
          {mayTemplate && <Menu.Item onClick={() => setOpen('template')}>{t.template}</Menu.Item>}
          <Menu.Item onClick={() => run(!asset.locked)}>
            {asset.locked ? t.unlock : t.lock}
          </Menu.Item>
          {!asset.locked && (
            <Menu.Item color="red" onClick={() => setOpen('remove')}>
              {t.remove}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'rename' && <Rename asset={asset} onClose={close} />}
      {open === 'move' && <Move asset={asset} onClose={close} />}
      {open === 'template' && <NewTemplateDialog asset={asset} onClose={close} />}
      {open === 'remove' && <Remove asset={asset} onClose={close} onRemoved={onRemoved} />}
    </>
  )
}

type DialogProps = { readonly asset: Asset; readonly onClose: () => void }

function Rename({ asset, onClose }: DialogProps) {
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

function Move({ asset, onClose }: DialogProps) {
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

function Remove({ asset, onClose, onRemoved }: DialogProps & Pick<Props, 'onRemoved'>) {
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
