import { ApiError } from '@millrace/client'
import { useState } from 'react'
import {
  type Dashboard,
  type DashboardDocument,
  type DashboardPanel,
  replaceDashboard,
} from '../../../api/dashboards/dashboards.ts'
import { useChange } from '../../../ui/change.ts'
import { arrange, freePlace, type Place } from '../arranging.ts'

export type BoardEditing = ReturnType<typeof useBoardDraft>

/** The draft of a dashboard, until it is saved as one change. */
export function useBoardDraft(dashboard: Dashboard, onSaved: () => void) {
  const [base, setBase] = useState(dashboard)
  const [draft, setDraft] = useState(dashboard.document)
  const { isBusy, error, run, reset } = useChange<number>(async (client, version) => {
    const saved = await replaceDashboard(client, dashboard.id, { version, document: draft })
    setBase(saved)
    setDraft(saved.document)
  })
  const edit = (part: Partial<DashboardDocument>) => {
    reset()
    setDraft((before) => ({ ...before, ...part }))
  }
  return {
    base: base.document,
    draft,
    isChanged: JSON.stringify(base.document) !== JSON.stringify(draft),
    isBusy,
    error,
    /** The version that somebody else saved in the meantime. */
    theirs: conflictingBoard(error),
    edit,
    save: () => run(base.version, onSaved),
    /** Saves what is here in place of a newer version. */
    overwrite: (version: number) => run(version, onSaved),
    /** Takes over a version in the place of what is here. */
    take: (stored: Dashboard) => {
      reset()
      setBase(stored)
      setDraft(stored.document)
    },
    keepEditing: reset,
    put: (panel: DashboardPanel) => edit({ panels: withPanel(draft.panels, panel) }),
    remove: (id: string) => edit({ panels: draft.panels.filter((one) => one.id !== id) }),
    arrange: (from: DashboardPanel[], id: string, place: Place) =>
      edit({ panels: arrange(from, id, place) }),
  }
}

function conflictingBoard(error: Error | null): Dashboard | undefined {
  if (!(error instanceof ApiError) || error.code !== 'dashboard_outdated') return undefined
  return error.conflict?.stored as Dashboard | undefined
}

/** In the place of the one with its id, or where there is room for a new one. */
function withPanel(panels: readonly DashboardPanel[], panel: DashboardPanel): DashboardPanel[] {
  if (panels.some(({ id }) => id === panel.id)) {
    return panels.map((one) => (one.id === panel.id ? panel : one))
  }
  return [...panels, { ...panel, ...freePlace(panels, panel.width, panel.height) }]
}
