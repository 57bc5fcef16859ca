import { Button, Menu, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  changeGroup,
  createGroup,
  type Group,
  readGroupDependants,
  removeGroup,
} from '../../api/groups.ts'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { RemoveDialog } from '../../components/dialogs/remove-dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { Faint } from '../../components/line.tsx'
import { Pane } from '../../components/pane.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { useChange } from '../../ui/change.ts'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { useFaultTexts } from './faults.ts'
import { byIdOf, pathOf, useGroups, useSeesAll } from './groups.ts'
import styles from './setup.module.css'
import { setupTexts } from './texts.ts'

const texts = defineTexts(
  {
    about: 'Who has a group sees the assets and devices of it and of all groups below it.',
    addFirst: 'New group',
    add: 'New group in here',
    addTitle: (name: string) => `New group in ${name}`,
    create: 'Create the group',
    change: 'Rename',
    changeTitle: (name: string) => `Rename ${name}`,
    save: 'Save',
    move: 'Move',
    moveTitle: (name: string) => `Move ${name}`,
    into: 'Into',
    remove: 'Delete',
    removeTitle: (name: string) => `Delete ${name}?`,
    doRemove: 'Delete the group',
    loss: 'The group is gone. What depends on it:',
    name: 'Name',
    description: 'Description',
  },
  {
    de: {
      about: 'Wer eine Gruppe hat, sieht deren Anlagen und Geräte und die aller Gruppen darunter.',
      addFirst: 'Neue Gruppe',
      add: 'Neue Gruppe hierin',
      addTitle: (name: string) => `Neue Gruppe in ${name}`,
      create: 'Gruppe anlegen',
      change: 'Umbenennen',
      changeTitle: (name: string) => `${name} umbenennen`,
      save: 'Speichern',
      move: 'Verschieben',
      moveTitle: (name: string) => `${name} verschieben`,
      into: 'Nach',
      remove: 'Löschen',
      removeTitle: (name: string) => `${name} löschen?`,
      doRemove: 'Gruppe löschen',
      loss: 'Die Gruppe ist dann weg. Was daran hängt:',
      name: 'Name',
      description: 'Beschreibung',
    },
  },
)

type Opened = {
  readonly what: 'add' | 'change' | 'move' | 'remove'
  /** Undefined for what is added to the root. */
  readonly group?: Group
}
type Open = (opened: Opened) => void

/** The tree of groups. */
export function GroupsView() {
  const t = useTexts(texts)
  const names = useTexts(setupTexts)
  const groups = useGroups()
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const add = useSeesAll() && (
    <Button
      size="xs"
      leftSection={<Icon name="plus" size={14} />}
      onClick={() => setOpened({ what: 'add' })}
    >
      {t.addFirst}
    </Button>
  )
  const { what, group } = opened ?? {}
  return (
    <Pane title={names.groups} query={groups} aside={add}>
      {(found) => (
        <>
          <Faint>{t.about}</Faint>
          <Branch groups={topOf(found)} all={childrenOf(found)} onOpen={setOpened} isTop />
          {what === 'add' && <GroupDialog parent={group} onClose={close} />}
          {what === 'change' && <GroupDialog group={group} onClose={close} />}
          {what === 'move' && group && <MoveDialog {...{ group, groups: found }} onClose={close} />}
          {what === 'remove' && group && <RemoveGroup group={group} onClose={close} />}
        </>
      )}
    </Pane>
  )
}

/** The groups whose parent the caller does not see. */
function topOf(groups: readonly Group[]): Group[] {
  const byId = byIdOf(groups)
  return groups.filter(({ parent_id: parent }) => parent === null || !byId.has(parent))
}

function childrenOf(groups: readonly Group[]): ReadonlyMap<string, Group[]> {
  return Map.groupBy(groups, ({ parent_id: parent }) => parent ?? '')
}

type BranchProps = {
  readonly groups: readonly Group[]
  readonly all: ReadonlyMap<string, Group[]>
  readonly onOpen: Open
  readonly isTop?: boolean
}

function Branch({ groups, all, onOpen, isTop = false }: BranchProps) {
  return (
    <ul className={isTop ? styles.tree : undefined}>
      {groups.map((group) => (
        <li key={group.id}>
          <Row group={group} mayLeave={!isTop} onOpen={onOpen} />
          {all.has(group.id) && (
            <Branch groups={all.get(group.id) ?? []} all={all} onOpen={onOpen} />
          )}
        </li>
      ))}
    </ul>
  )
}

type RowProps = {
  readonly group: Group
  /** Whether it may be moved or deleted: its parent is seen. */
  readonly mayLeave: boolean
  readonly onOpen: Open
}

function Row({ group, mayLeave, onOpen }: RowProps) {
  const t = useTexts(texts)
  const open = (what: Opened['what']) => () => onOpen({ what, group })
  return (
    <div className={styles.group}>
      <span className={styles.name}>
        {group.name} {group.description !== '' && <Faint inline>{group.description}</Faint>}
      </span>
      <RowMenu name={group.name}>
        <Menu.Item onClick={open('add')}>{t.add}</Menu.Item>
        <Menu.Item onClick={open('change')}>{t.change}</Menu.Item>
        {mayLeave && <Menu.Item onClick={open('move')}>{t.move}</Menu.Item>}
        {mayLeave && <Menu.Item onClick={open('remove')}>{t.remove}</Menu.Item>}
      </RowMenu>
    </div>
  )
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
  const faultTexts = useFaultTexts()
  const [fault, setFault] = useState<string>()
  const { isBusy, error, run } = useChange<{ name: string; description: string }>((client, part) =>
    group === undefined
      ? createGroup(client, { ...part, ...(parent && { parent_id: parent.id }) })
      : changeGroup(client, group.id, part),
  )
  const titleOfNew = parent === undefined ? t.addFirst : t.addTitle(parent.name)
  const submit = (form: FormData) => {
    const name = textOf(form, 'name')
    setFault(name === '' ? faultTexts.needed : undefined)
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

function RemoveGroup({ group: { id, name }, onClose }: Pick<MoveProps, 'group' | 'onClose'>) {
  const t = useTexts(texts)
  return (
    <RemoveDialog
      title={t.removeTitle(name)}
      action={t.doRemove}
      loss={t.loss}
      read={readGroupDependants}
      remove={removeGroup}
      {...{ id, onClose }}
    />
  )
}
