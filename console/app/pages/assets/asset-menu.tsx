import { ActionIcon, Menu } from '@mantine/core'
import { useState } from 'react'
import { type Asset, changeAsset } from '../../api/assets.ts'
import { later } from '../../components/dialogs/lazy-dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { useChange } from '../../ui/change.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { useMayTemplate } from './templates/use-templates.ts'

const loadDialogs = () => import('./asset-dialogs.tsx')
const RenameAsset = later(async () => (await loadDialogs()).RenameAsset)
const MoveAsset = later(async () => (await loadDialogs()).MoveAsset)
const RemoveAsset = later(async () => (await loadDialogs()).RemoveAsset)
const NewTemplateDialog = later(
  async () => (await import('./templates/new-template-dialog.tsx')).NewTemplateDialog,
)

const texts = defineTexts({
  actions: (name: string) => [`Actions for ${name}`, `Aktionen für ${name}`],
  rename: ['Rename', 'Umbenennen'],
  move: ['Move to a group', 'In eine Gruppe verschieben'],
  template: ['Make a template of it', 'Eine Vorlage daraus machen'],
  lock: ['Lock', 'Sperren'],
  unlock: ['Unlock', 'Entsperren'],
  remove: ['Delete', 'Löschen'],
})

type Props = { readonly asset: Asset; readonly onRemoved?: (() => void) | undefined }

/** The actions on an asset. A locked asset takes no change but its unlocking. */
export function AssetMenu({ asset, onRemoved }: Props) {
  const t = useTexts(texts)
  const [open, setOpen] = useState<'rename' | 'move' | 'template' | 'remove'>()
  const mayTemplate = useMayTemplate()
  const { run } = useChange<boolean>((client, locked) =>
    changeAsset(client, { id: asset.id, input: { locked } }),
  )
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
      {open === 'rename' && <RenameAsset asset={asset} onClose={close} />}
      {open === 'move' && <MoveAsset asset={asset} onClose={close} />}
      {open === 'template' && <NewTemplateDialog asset={asset} onClose={close} />}
      {open === 'remove' && <RemoveAsset asset={asset} onClose={close} onRemoved={onRemoved} />}
    </>
  )
}
