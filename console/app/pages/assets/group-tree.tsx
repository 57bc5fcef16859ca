import { Button, Group as Row, TextInput } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { createGroup, type Group, listGroups } from '../../api/assets.ts'
import { Icon } from '../../components/icon.tsx'
import { Faint } from '../../components/line.tsx'
import { Pane } from '../../components/pane.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { listEveryMs, useLive } from '../../ui/live.ts'
import { useMay } from '../../ui/session.tsx'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './assets.module.css'

const texts = defineTexts(
  {
    title: 'Groups',
    all: 'All assets',
    add: 'New group',
    name: 'Name of the group',
    make: 'Create',
    hint: 'Drag an asset to a group to move it there.',
  },
  {
    de: {
      title: 'Gruppen',
      all: 'Alle Anlagen',
      add: 'Neue Gruppe',
      name: 'Name der Gruppe',
      make: 'Anlegen',
      hint: 'Ziehen Sie eine Anlage auf eine Gruppe, um sie dorthin zu verschieben.',
    },
  },
)

/** The kind of what is dragged: the id of an asset. */
export const assetDragType = 'application/x-millrace-asset'

export function useGroups() {
  return useLive({ key: ['groups'], read: listGroups, everyMs: listEveryMs })
}

type Props = { readonly onDrop: (assetId: string, groupId: string) => void }

/** The tree of groups: each filters the list, and takes assets that are dropped on it. */
export function GroupTree({ onDrop }: Props) {
  const t = useTexts(texts)
  const groups = useGroups()
  const mayMove = useMay('Asset Management')
  const mayAdd = useMay('Group Management')
  const { group: chosen } = useSearch({ from: '/assets/' })
  return (
    <Pane title={t.title} query={groups}>
      {(all) => {
        const ids = new Set(all.map(({ id }) => id))
        const roots = all.filter(({ parentId }) => parentId === null || !ids.has(parentId))
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
              {roots.map((one) => (
                <Branch key={one.id} group={one} {...{ all, chosen, onDrop }} />
              ))}
            </ul>
            {mayMove && all.length > 1 && <Faint>{t.hint}</Faint>}
            {mayAdd && <NewGroup parentId={chosen ?? roots[0]?.id ?? ''} />}
          </>
        )
      }}
    </Pane>
  )
}

type BranchProps = Props & {
  readonly group: Group
  readonly all: readonly Group[]
  readonly chosen: string | undefined
}

function Branch({ group, all, chosen, onDrop }: BranchProps) {
  const [isOver, setOver] = useState(false)
  const below = all.filter(({ parentId }) => parentId === group.id)
  return (
    <li>
      <Link
        from="/assets"
        to="."
        search={(before) => ({ ...before, group: group.id, page: undefined })}
        className={styles.group}
        aria-current={chosen === group.id}
        data-over={isOver}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes(assetDragType)) return
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          onDrop(event.dataTransfer.getData(assetDragType), group.id)
        }}
      >
        {group.name}
      </Link>
      {below.length > 0 && (
        <ul>
          {below.map((one) => (
            <Branch key={one.id} group={one} {...{ all, chosen, onDrop }} />
          ))}
        </ul>
      )}
    </li>
  )
}

function NewGroup({ parentId }: { readonly parentId: string }) {
  const t = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  const { isBusy, error, run } = useChange<string>((client, name) =>
    createGroup(client, name, parentId),
  )
  if (!isOpen) {
    return (
      <Button
        variant="default"
        size="xs"
        mt="xs"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => setOpen(true)}
      >
        {t.add}
      </Button>
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    run(textOf(new FormData(event.currentTarget), 'name'), () => setOpen(false))
  }
  return (
    <form onSubmit={submit}>
      <Row gap="xs" align="end" mt="xs">
        <TextInput name="name" label={t.name} size="xs" required maxLength={200} />
        <Button type="submit" size="xs" loading={isBusy}>
          {t.make}
        </Button>
      </Row>
      {error !== null && <Trouble error={error} />}
    </form>
  )
}
