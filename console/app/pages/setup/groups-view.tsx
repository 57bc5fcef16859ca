import { useState } from 'react'
import type { Group } from '../../api/groups.ts'
import { Action } from '../../components/controls/action.tsx'
import {
  type GroupAction,
  GroupDialogs,
  GroupMenu,
} from '../../components/groups/group-dialogs.tsx'
import { findTop, groupChildren, useGroups, useSeesAll } from '../../components/groups/groups.ts'
import { Faint } from '../../components/line.tsx'
import { Pane } from '../../components/pane.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './setup.module.css'
import { setupTexts } from './texts.ts'

const texts = defineTexts({
  about: [
    'Who has a group sees the assets and devices of it and of all groups below it.',
    'Wer eine Gruppe hat, sieht deren Anlagen und Geräte und die aller Gruppen darunter.',
  ],
  addFirst: ['New group', 'Neue Gruppe'],
})

type Open = (opened: GroupAction) => void

/** The tree of groups. */
export function GroupsView() {
  const t = useTexts(texts)
  const names = useTexts(setupTexts)
  const groups = useGroups()
  const [opened, setOpened] = useState<GroupAction>()
  const close = () => setOpened(undefined)
  const add = useSeesAll() && (
    <Action text={t.addFirst} icon="plus" main onClick={() => setOpened({ what: 'add' })} />
  )
  return (
    <Pane title={names.groups} query={groups} aside={add}>
      {(found) => (
        <>
          <Faint>{t.about}</Faint>
          <Branch groups={findTop(found)} all={groupChildren(found)} onOpen={setOpened} isTop />
          <GroupDialogs {...{ opened, groups: found }} onClose={close} />
        </>
      )}
    </Pane>
  )
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
  /** True if it may be moved or deleted: its parent is seen. */
  readonly mayLeave: boolean
  readonly onOpen: Open
}

function Row({ group, mayLeave, onOpen }: RowProps) {
  return (
    <div className={styles.group}>
      <span className={styles.name}>
        {group.name} {group.description !== '' && <Faint inline>{group.description}</Faint>}
      </span>
      <GroupMenu {...{ group, mayLeave, onOpen }} />
    </div>
  )
}
