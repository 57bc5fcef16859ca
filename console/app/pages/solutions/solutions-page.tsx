import { useState } from 'react'
import { listSolutions } from '../../api/notifications.ts'
import { Age } from '../../components/age.tsx'
import { Action } from '../../components/controls/action.tsx'
import { PageLink } from '../../components/controls/page-link.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ListPane } from '../../components/table/list-pane.tsx'
import { useLive } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { NewSolutionDialog } from './new-solution-dialog.tsx'
import styles from './solutions.module.css'

const texts = defineTexts({
  title: ['Solutions', 'Lösungen'],
  id: ['Id', 'Kennung'],
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
      <ListPane
        title={t.title}
        query={solutions}
        itemKey={({ id }) => id}
        none={t.none}
        columns={[
          [
            t.name,
            ({ id, name }) => (
              <PageLink
                to="/solutions/$solution"
                params={{ solution: id }}
                size="md"
                className={styles.name}
                text={name}
              />
            ),
          ],
          [t.id, ({ id }) => id],
          [t.changed, (one) => <Age at={one.updated_at} />],
        ]}
      />
      {isMaking && <NewSolutionDialog onClose={() => setMaking(false)} />}
    </>
  )
}
