import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { listSolutions } from '../../api/notifications.ts'
import { Age } from '../../components/age.tsx'
import { Action } from '../../components/controls/action.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pane } from '../../components/pane.tsx'
import { List } from '../../components/table/list.tsx'
import { useLive } from '../../ui/live.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { NewSolutionDialog } from './new-solution-dialog.tsx'
import styles from './solutions.module.css'

const texts = defineTexts({
  title: ['Solutions', 'Lösungen'],
  name: ['Name', 'Name'],
  id: ['Id', 'Kennung'],
  changed: ['Changed', 'Geändert'],
  create: ['New solution', 'Neue Lösung'],
  none: [
    'There is no solution yet. Its scripts handle what devices send, answer over HTTP, and ' +
      'send notifications.',
    'Es gibt noch keine Lösung. Ihre Skripte verarbeiten, was Geräte senden, antworten über ' +
      'HTTP und versenden Benachrichtigungen.',
  ],
})

/** All solutions of the business. */
export function SolutionsPage() {
  const t = useTexts(texts)
  const [isMaking, setMaking] = useState(false)
  const solutions = useLive(['solutions'], listSolutions)
  return (
    <>
      <PageHead title={t.title}>
        <Action text={t.create} main onClick={() => setMaking(true)} />
      </PageHead>
      <Pane title={t.title} query={solutions}>
        {(all) => (
          <List
            items={all}
            keyOf={({ id }) => id}
            none={t.none}
            columns={[
              [t.name, ({ id, name }) => <Named id={id} name={name} />],
              [t.id, ({ id }) => id],
              [t.changed, (one) => <Age at={one.updated_at} />],
            ]}
          />
        )}
      </Pane>
      {isMaking && <NewSolutionDialog onClose={() => setMaking(false)} />}
    </>
  )
}

function Named({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Anchor component={Link} to={`/solutions/${encodeURIComponent(id)}`}>
      <span className={styles.name}>{name}</span>
    </Anchor>
  )
}
