import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type DragEvent, useState } from 'react'
import type { Group } from '../../api/groups.ts'
import { Action } from '../../components/controls/action.tsx'
import {
  type GroupAction,
  GroupDialogs,
  GroupMenu,
} from '../../components/groups/group-dialogs.tsx'
import { findTop, groupChildren, useGroups } from '../../components/groups/groups.ts'
import { Faint } from '../../components/line.tsx'
import { Pane } from '../../components/pane.tsx'
import { useMay } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './assets.module.css'

const texts = defineTexts({
  title: ['Groups', 'Gruppen'],
  all: ['All assets', 'Alle Anlagen'],
  add: ['New group', 'Neue Gruppe'],
  hint: [
    'Drag an asset to a group to move it there, or use “Move to a group” of its menu.',
    'Ziehen Sie eine Anlage auf eine Gruppe, um sie dorthin zu verschieben, oder wählen Sie ' +
      'in ihrem Menü „In eine Gruppe verschieben“.',
  ],
})

/** The kind of what is dragged: the id of an asset. */
export const assetDragType = 'application/x-millrace-asset'

type Props = { readonly onDrop: (assetId: string, groupId: string) => void }

/** The tree of groups: each filters the list, and takes assets that are dropped on it. */
export function GroupTree({ onDrop }: Props) {
  const t = useTexts(texts)
  const groups = useGroups()
  const mayMove = useMay('Asset Management')
  const mayChange = useMay('Group Management')
  const [opened, setOpened] = useState<GroupAction>()
  const { group: chosen } = useSearch({ from: '/assets/' })
  const navigate = useNavigate({ from: '/assets' })
  /** A group that is gone filters nothing any more. */
  const forget = (id: string) => {
    if (id !== chosen) return
    navigate({ to: '.', search: (before) => ({ ...before, group: undefined }) })
  }
  return (
    <Pane title={t.title} query={groups}>
      {(all) => {
        const below = groupChildren(all)
        const top = findTop(all)
        const open = mayChange ? setOpened : undefined
        const into = all.find(({ id }) => id === chosen) ?? top[0]
        return (
          <>
            <ul className={styles.tree} aria-label={t.title}>
              <li>
                <Link
                  from="/assets"
                  to="."
                  search={(before) => ({ ...before, group: undefined, page: undefined })}
                  className={styles.group}
                  aria-current={chosen === undefined}
                >
                  {t.all}
                </Link>
              </li>
              {top.map((one) => (
                <Branch
                  key={one.id}
                  group={one}
                  isTop
                  onOpen={open}
                  {...{ below, chosen, onDrop }}
                />
              ))}
            </ul>
            {mayMove && all.length > 1 && <Faint>{t.hint}</Faint>}
            {mayChange && (
              <Action
                text={t.add}
                icon="plus"
                mt="xs"
                onClick={() => setOpened({ what: 'add', ...(into && { group: into }) })}
              />
            )}
            <GroupDialogs
              {...{ opened, groups: all }}
              onRemoved={forget}
              onClose={() => setOpened(undefined)}
            />
          </>
        )
      }}
    </Pane>
  )
}

type BranchProps = Props & {
  readonly group: Group
  /** All groups by the one that they lie in. */
  readonly below: ReadonlyMap<string, readonly Group[]>
  readonly chosen: string | undefined
  /** True if its parent is not seen: it stays in its place. */
  readonly isTop?: boolean
  /** Undefined for a role that may not change groups. */
  readonly onOpen: ((opened: GroupAction) => void) | undefined
}

function Branch({ group, isTop = false, ...shown }: BranchProps) {
  const { below, chosen, onDrop, onOpen } = shown
  const { isOver, ...over } = useDrop((id) => onDrop(id, group.id))
  const inside = below.get(group.id) ?? []
  return (
    <li>
      <div className={styles.branch}>
        <Link
          from="/assets"
          to="."
          search={(before) => ({ ...before, group: group.id, page: undefined })}
          className={styles.group}
          aria-current={chosen === group.id}
          data-over={isOver}
          {...over}
        >
          {group.name}
        </Link>
        {onOpen !== undefined && <GroupMenu group={group} mayLeave={!isTop} onOpen={onOpen} />}
      </div>
      {inside.length > 0 && (
        <ul>
          {inside.map((one) => (
            <Branch key={one.id} group={one} {...shown} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Lets an element take assets. */
function useDrop(onAsset: (id: string) => void) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes(assetDragType)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault()
      setOver(false)
      onAsset(event.dataTransfer.getData(assetDragType))
    },
  }
}
