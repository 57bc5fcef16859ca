import { NativeSelect, Textarea } from '@mantine/core'
import {
  changeGroup,
  createGroup,
  type Group,
  readGroupDependants,
  removeGroup,
} from '../../api/groups.ts'
import { createGroupForm } from '../../generated/forms.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { later } from '../dialogs/lazy-dialog.tsx'
import { RowMenu } from '../row-menu.tsx'
import { indexById, toChoices } from './groups.ts'

const FieldsDialog = later(async () => (await import('../form/fields-dialog.tsx')).FieldsDialog)
const RemoveDialog = later(async () => (await import('../dialogs/remove-dialog.tsx')).RemoveDialog)

const texts = defineTexts({
  addFirst: ['New group', 'Neue Gruppe'],
  add: ['New group in here', 'Neue Gruppe hierin'],
  addTitle: (name: string) => [`New group in ${name}`, `Neue Gruppe in ${name}`],
  create: ['Create the group', 'Gruppe anlegen'],
  change: ['Rename', 'Umbenennen'],
  changeTitle: (name: string) => [`Rename ${name}`, `${name} umbenennen`],
  move: ['Move', 'Verschieben'],
  moveTitle: (name: string) => [`Move ${name}`, `${name} verschieben`],
  into: ['Into', 'Nach'],
  remove: ['Delete', 'Löschen'],
  removeTitle: (name: string) => [`Delete ${name}?`, `${name} löschen?`],
  doRemove: ['Delete the group', 'Gruppe löschen'],
  loss: ['The group is gone. What depends on it:', 'Die Gruppe ist dann weg. Was daran hängt:'],
})

/** An action on a group. */
export type GroupAction = {
  readonly what: 'add' | 'change' | 'move' | 'remove'
  /** Undefined for what is added to the root. */
  readonly group?: Group
}

type MenuProps = {
  readonly group: Group
  /** True if it may be moved or deleted: its parent is seen. */
  readonly mayLeave: boolean
  readonly onOpen: (opened: GroupAction) => void
}

/** The actions of a group. */
export function GroupMenu({ group, mayLeave, onOpen }: MenuProps) {
  const t = useTexts(texts)
  const open = (what: GroupAction['what']) => () => onOpen({ what, group })
  return (
    <RowMenu
      name={group.name}
      items={[
        [t.add, open('add')],
        [t.change, open('change')],
        mayLeave && [t.move, open('move')],
        mayLeave && [t.remove, open('remove')],
      ]}
    />
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
  const titleOfNew = parent === undefined ? t.addFirst : t.addTitle(parent.name)
  return (
    <FieldsDialog
      title={group === undefined ? titleOfNew : t.changeTitle(group.name)}
      action={group === undefined ? t.create : t.save}
      form={createGroupForm}
      of={group}
      fields={[
        { name: 'name', label: t.name },
        { name: 'description', as: Textarea, label: t.description, rows: 2 },
      ]}
      send={(client, body) =>
        group === undefined
          ? createGroup(client, { ...body, ...(parent && { parent_id: parent.id }) })
          : changeGroup(client, group.id, body)
      }
      onClose={onClose}
    />
  )
}

type MoveProps = {
  readonly group: Group
  readonly groups: readonly Group[]
  readonly onClose: () => void
}

function MoveDialog({ group, groups, onClose }: MoveProps) {
  const t = useTexts(texts)
  const byId = indexById(groups)
  return (
    <FieldsDialog
      title={t.moveTitle(group.name)}
      action={t.move}
      fields={[
        {
          name: 'parent',
          as: NativeSelect,
          label: t.into,
          value: group.parent_id,
          data: toChoices(groups, (one) => !isBelow(one, group, byId)),
        },
      ]}
      send={(client, { parent = '' }) => changeGroup(client, group.id, { parent_id: parent })}
      onClose={onClose}
    />
  )
}

/** Returns whether a group is the other one or lies below it. */
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
      remove={async (...removed) => {
        await removeGroup(...removed)
        onRemoved?.(id)
      }}
      {...{ id, onClose }}
    />
  )
}
