import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Dashboard, DashboardPanel } from '../../../api/dashboards/dashboards.ts'
import { Action } from '../../../components/controls/action.tsx'
import { SelectField, TextField } from '../../../components/controls/fields.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { PageHead } from '../../../components/page-head.tsx'
import type { Period } from '../../../components/plot/intervals.ts'
import { lengthsMs } from '../../../components/plot/intervals.ts'
import { Trouble } from '../../../components/trouble.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { LeaveGuard } from '../../solutions/leave-guard.tsx'
import styles from '../dashboards.module.css'
import { boardTexts } from '../texts.ts'
import { useBoardData } from '../use-board-data.ts'
import { ArrangedBoard } from './arranged-board.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { PanelForm } from './panel-form.tsx'
import { useBoardDraft } from './use-board-draft.ts'

const texts = defineTexts({
  title: (name: string) => [`Edit ${name}`, `${name} bearbeiten`],
  add: ['Add panel', 'Feld hinzufügen'],
  discard: ['Discard changes', 'Änderungen verwerfen'],
  none: [
    'Add a first panel: a value, a plot, a gauge, a table, a map, states or a text.',
    'Fügen Sie ein erstes Feld hinzu: Wert, Diagramm, Anzeige, Tabelle, Karte, Text.',
  ],
  hint: [
    'Drag panels by their handle, or focus it and use the arrow keys; the corner resizes.',
    'Felder am Griff ziehen, oder ihn fokussieren und Pfeiltasten nutzen; die Ecke ändert die ' +
      'Größe.',
  ],
})

const route = getRouteApi('/dashboards/$dashboard')

/** A dashboard whose panels are added, changed, moved and removed, and saved as one change. */
export function Editor({ dashboard }: { readonly dashboard: Dashboard }) {
  const t = useTexts(texts)
  const navigate = route.useNavigate()
  const close = () => navigate({ search: (before) => ({ ...before, edit: undefined }) })
  const [isSaved, setSaved] = useState(false)
  const editing = useBoardDraft(dashboard, () => setSaved(true))
  const { draft, isChanged, isBusy, error, theirs } = editing
  const [edited, setEdited] = useState<DashboardPanel | 'new'>()
  const data = useBoardData(draft.panels)
  // Only when nothing is unsaved any more may the page be left without a question.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is left once
  useEffect(() => {
    if (isSaved && !isChanged) void close()
  }, [isSaved, isChanged])
  return (
    <>
      <LeaveGuard isDirty={isChanged} />
      <PageHead title={t.title(dashboard.document.name)}>
        <Action text={t.add} icon="plus" onClick={() => setEdited('new')} />
        {isChanged ? (
          <Action text={t.discard} onClick={() => editing.take(dashboard)} />
        ) : (
          <Action text={t.close} onClick={close} />
        )}
        <Action text={t.save} main busy={isBusy} disabled={!isChanged} onClick={editing.save} />
      </PageHead>
      {error !== null && theirs === undefined && <Trouble error={error} />}
      {theirs !== undefined && <ConflictDialog editing={editing} theirs={theirs} />}
      <About editing={editing} />
      {draft.panels.length === 0 ? (
        <NextStep>{t.none}</NextStep>
      ) : (
        <>
          <p className={styles.hint}>{t.hint}</p>
          <ArrangedBoard editing={editing} data={data} onEdit={setEdited} />
        </>
      )}
      {edited !== undefined && (
        <PanelForm
          panel={edited === 'new' ? undefined : edited}
          onDone={editing.put}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

/** The name, the description and the period of the dashboard. */
function About({
  editing: { draft, edit },
}: {
  readonly editing: ReturnType<typeof useBoardDraft>
}) {
  const words = useTexts(boardTexts)
  const isNamed = draft.name.trim() !== ''
  return (
    <div className={styles.about}>
      <TextField
        label={words.name}
        value={draft.name}
        error={isNamed ? undefined : words.nameWanted}
        onChange={(next) => edit({ name: next })}
      />
      <TextField
        label={words.description}
        value={draft.description ?? ''}
        onChange={(next) => edit({ description: next })}
      />
      <SelectField
        label={words.period}
        value={draft.period ?? '24h'}
        data={(Object.keys(lengthsMs) as Period[]).map((value) => ({ value, label: words[value] }))}
        onChange={(next) => edit({ period: next as Period })}
      />
    </div>
  )
}
