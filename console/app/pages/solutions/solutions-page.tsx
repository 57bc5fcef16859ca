import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { listSolutions, type Solution } from '../../api/notifications.ts'
import { Age } from '../../components/age.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { listEveryMs, useLive } from '../../ui/live.ts'
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
  const solutions = useLive({ key: ['solutions'], read: listSolutions, everyMs: listEveryMs })
  return (
    <>
      <PageHead title={t.title}>
        <Button size="xs" onClick={() => setMaking(true)}>
          {t.create}
        </Button>
      </PageHead>
      <Pane title={t.title} query={solutions}>
        {(all) =>
          all.length === 0 ? (
            <NextStep>{t.none}</NextStep>
          ) : (
            <Table heads={[t.name, t.id, t.changed]} narrow="stacked">
              {all.map((one) => (
                <Row key={one.id} solution={one} />
              ))}
            </Table>
          )
        }
      </Pane>
      {isMaking && <NewSolutionDialog onClose={() => setMaking(false)} />}
    </>
  )
}

function Row({ solution: { id, name, updated_at: changedAt } }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  return (
    <tr>
      <td>
        <Anchor component={Link} to={`/solutions/${encodeURIComponent(id)}`}>
          <span className={styles.name}>{name}</span>
        </Anchor>
      </td>
      <td data-label={t.id}>{id}</td>
      <td>
        <Age at={changedAt} />
      </td>
    </tr>
  )
}
