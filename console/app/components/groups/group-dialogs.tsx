import { Menu, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  changeGroup,
  createGroup,
  type Group,
  readGroupDependants,
  removeGroup,
} from '../../api/groups.ts'
import { useChange } from '../../ui/change.ts'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { later } from '../dialogs/later.tsx'
import { RowMenu } from '../row-menu.tsx'
import { byIdOf, pathOf } from './groups.ts'

const FormDialog = later(async () => (await import('../dialogs/form-dialog.tsx')).FormDialog)
const RemoveDialog = later(async () => (await import('../dialogs/remove-dialog.tsx')).RemoveDialog)

const texts = defineTexts({
  addFirst: ['New group', 'Neue Gruppe'],
  add: ['New group in here', 'Neue Gruppe hierin'],
  addTitle: (name: string) => [`New group in ${name}`, `Neue Gruppe in ${name}`],
  create: ['Create the group', 'Gruppe anlegen'],
  change: ['Rename', 'Umbenennen'],
  changeTitle: (name: string) => [`Rename ${name}`, `${name} umbenennen`],
  save: ['Save', 'Speichern'],
  move: ['Move', 'Verschieben'],
  moveTitle: (name: string) => [`Move ${name}`, `${name} verschieben`],
  into: ['Into', 'Nach'],
  remove: ['Delete', 'Löschen'],
  removeTitle: (name: string) => [`Delete ${name}?`, `${name} löschen?`],
  doRemove: ['Delete the group', 'Gruppe löschen'],
  loss: ['The group is gone. What depends on it:', 'Die Gruppe ist dann weg. Was daran hängt:'],
  name: ['Name', 'Name'],
  description: ['Description', 'Beschreibung'],
  needed: ['This is needed.', 'Diese Angabe fehlt.'],
})

/** What is to be done with a group. */
export type GroupAction = {
  readonly what: 'add' | 'change' | 'move' | 'remove'
  /** Undefined for what is added to the root. */
  readonly group?: Group
}

type MenuProps = {
  readonly group: Group
  /** Whether it may be moved or deleted: its parent is seen. */
  readonly mayLeave: boolean
  readonly onOpen: (opened: GroupAction) => void
}

/** The actions of a group. */
export function GroupMenu({ group, mayLeave, onOpen }: MenuProps) {
  const t = useTexts(texts)
  const open = (what: GroupAction['what']) => () => onOpen({ what, group })
  return (
    <RowMenu name={group.name}>
      <Menu.Item onClick={open('add')}>{t.add}</Menu.Item>
      <Menu.Item onClick={open('change')}>{t.change}</Menu.Item>
      {mayLeave && <Menu.Item onClick={open('move')}>{t.move}</Menu.Item>}
      {mayLeave && <Menu.Item onClick={open('remove')}>{t.remove}</Menu.Item>}
    </RowMenu>
  )
}

type Props = {
  readonly opened: GroupAction | undefined
  readonly groups: readonly Group[]
  /** Called when a group is gone, before anything is read again. */
  readonly onRemoved?: ((id: string) => void) | undefined
  readonly onClose: () => void
}

/** The dialog of the action that was opened, if one was. */
export function GroupDialogs({ opened, groups, onRemoved, onClose }: Props) {
  const { what, group } = opened ?? {}
  if (what === 'add') return <GroupDialog parent={group} onClose={onClose} />
  if (group === undefined) return null
  if (what === 'change') return <GroupDialog group={group} onClose={onClose} />
  if (what === 'move') return <MoveDialog {...{ group, groups, onClose }} />
  return <RemoveGroup {...{ group, onRemoved, onClose }} />
}

type DialogProps = {
  /** The group that is changed. */
  readonly group?: Group | undefined
  /** In which a new one is made; undefined: in the root. */
  readonly parent?: Group | undefined
  readonly onClose: () => void
}

function GroupDialog({ group, parent, onClose }: DialogProps) {
  const t = useTexts(texts)
  const [fault, setFault] = useState<string>()
  const { isBusy, error, run } = useChange<{ name: string; description: string }>((client, part) =>
    group === undefined
      ? createGroup(client, { ...part, ...(parent && { parent_id: parent.id }) })
      : changeGroup(client, group.id, part),
  )
  const titleOfNew = parent === undefined ? t.addFirst : t.addTitle(parent.name)
  const submit = (form: FormData) => {
    const name = textOf(form, 'name')
    setFault(name === '' ? t.needed : undefined)
    if (name !== '') run({ name, description: textOf(form, 'description') }, onClose)
  }
  return (
    <FormDialog
      title={group === undefined ? titleOfNew : t.changeTitle(group.name)}
      action={group === undefined ? t.create : t.save}
      onSubmit={submit}
      {...{ isBusy, error, onClose }}
    >
      <TextInput
        label={t.name}
        name="name"
        maxLength={200}
        defaultValue={group?.name}
        error={fault}
        data-autofocus
      />
      <Textarea
        label={t.description}
        name="description"
        rows={2}
        defaultValue={group?.description}
      />
    </FormDialog>
  )
}

type MoveProps = {
  readonly group: Group
  readonly groups: readonly Group[]
  readonly onClose: () => void
}

function MoveDialog({ group, groups, onClose }: MoveProps) {
  const t = useTexts(texts)
  const byId = byIdOf(groups)
  const { isBusy, error, run } = useChange<string>((client, parent) =>
    changeGroup(client, group.id, { parent_id: parent }),
  )
  const places = groups.filter((one) => !isBelow(one, group, byId))
  return (
    <FormDialog
      title={t.moveTitle(group.name)}
      action={t.move}
      onSubmit={(form) => run(textOf(form, 'parent'), onClose)}
      {...{ isBusy, error, onClose }}
    >
      <NativeSelect
        label={t.into}
        name="parent"
        defaultValue={group.parent_id ?? undefined}
        data={places.map((one) => ({ value: one.id, label: pathOf(one, byId) }))}
        data-autofocus
      />
    </FormDialog>
  )
}

/** Whether a group is the other one or lies below it. */
function isBelow(group: Group, other: Group, byId: ReadonlyMap<string, Group>): boolean {
  if (group.id === other.id) return true
  const parent = byId.get(group.parent_id ?? '')
  return parent !== undefined && isBelow(parent, other, byId)
}

type RemoveProps = Pick<Props, 'onClose' | 'onRemoved'> & Pick<MoveProps, 'group'>

function RemoveGroup({ group: { id, name }, onRemoved, onClose }: RemoveProps) {
  const t = useTexts(texts)
  return (
    <RemoveDialog
      title={t.removeTitle(name)}
      action={t.doRemove}
      loss={t.loss}
      read={readGroupDependants}
      remove={async (client) => {
        await removeGroup(client, id)
        onRemoved?.(id)
      }}
      {...{ id, onClose }}
    />
  )
}
