import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type ListedDashboard,
  listDashboards,
  removeDashboard,
} from '../../api/dashboards/dashboards.ts'
import { Age } from '../../components/age.tsx'
import { Action } from '../../components/controls/action.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { later } from '../../components/dialogs/lazy-dialog.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pane } from '../../components/pane.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Table } from '../../components/table/table.tsx'
import { useLive } from '../../ui/live-queries.ts'
import { useMay } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './dashboards.module.css'

const ImportDialog = later(async () => (await import('./import-dialog.tsx')).ImportDialog)
const NewDashboardDialog = later(
  async () => (await import('./new-dashboard-dialog.tsx')).NewDashboardDialog,
)

const texts = defineTexts({
  title: ['Dashboards', 'Dashboards'],
  panels: ['Panels', 'Felder'],
  create: ['New dashboard', 'Neues Dashboard'],
  remove: (name: string) => [`Delete ${name}?`, `${name} löschen?`],
  lost: [
    'The dashboard goes with its panels. What they show stays. It cannot be undone.',
    'Das Dashboard wird mit seinen Feldern gelöscht. Was sie zeigen, bleibt. Das lässt sich ' +
      'nicht rückgängig machen.',
  ],
  none: [
    'There is no dashboard yet. It shows what matters at a glance: live values, plots, states.',
    'Es gibt noch kein Dashboard. Es zeigt auf einen Blick, worauf es ankommt: Werte, ' +
      'Diagramme, Zustände.',
  ],
})

/** All dashboards of the business. */
export function DashboardsPage() {
  const t = useTexts(texts)
  const mayChange = useMay('Dashboard Management')
  const [open, setOpen] = useState<'new' | 'import'>()
  const dashboards = useLive(['dashboards'], listDashboards)
  const close = () => setOpen(undefined)
  return (
    <>
      <PageHead title={t.title}>
        {mayChange && (
          <>
            <Action text={t.import} onClick={() => setOpen('import')} />
            <Action text={t.create} icon="plus" main onClick={() => setOpen('new')} />
          </>
        )}
      </PageHead>
      {open === 'new' && <NewDashboardDialog onClose={close} />}
      {open === 'import' && <ImportDialog onClose={close} />}
      <Pane title={t.title} query={dashboards}>
        {(all) =>
          all.length === 0 ? (
            <NextStep>{t.none}</NextStep>
          ) : (
            <Table
              heads={[t.name, t.panels, t.changed, ...(mayChange ? [t.actions] : [])]}
              narrow="stacked"
            >
              {all.map((one) => (
                <Row key={one.id} dashboard={one} mayChange={mayChange} />
              ))}
            </Table>
          )
        }
      </Pane>
    </>
  )
}

type RowProps = { readonly dashboard: ListedDashboard; readonly mayChange: boolean }

function Row({ dashboard, mayChange }: RowProps) {
  const t = useTexts(texts)
  const { id, name, description, panels, changed } = dashboard
  return (
    <tr>
      <td>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/dashboards/$dashboard" params={{ dashboard: id }} {...props} />
          )}
        >
          <span className={styles.name}>{name}</span>
        </Anchor>
        {description !== '' && (
          <Faint>
            <span className={styles.name}>{description}</span>
          </Faint>
        )}
      </td>
      <td data-label={t.panels}>{panels}</td>
      <td {...(mayChange && { 'data-label': t.changed })}>
        <Age at={changed} />
      </td>
      {mayChange && (
        <td>
          <Remove dashboard={dashboard} />
        </td>
      )}
    </tr>
  )
}

function Remove({ dashboard: { id, name } }: { readonly dashboard: ListedDashboard }) {
  const t = useTexts(texts)
  const [ask, question] = useAsk()
  const remove = () =>
    ask({
      title: t.remove(name),
      action: t.delete,
      loss: t.lost,
      work: (client) => removeDashboard(client, id),
    })
  return (
    <>
      <RowMenu name={name} items={[[t.delete, remove]]} />
      {question}
    </>
  )
}
