import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Dashboard, readDashboard } from '../../api/dashboards/dashboards.ts'
import { NotFoundPage } from '../../components/not-found.tsx'
import type { Period } from '../../components/plot/intervals.ts'
import { Trouble } from '../../components/trouble.tsx'
import { hasCode } from '../../ui/errors.ts'
import { useRead } from '../../ui/live-queries.ts'
import { useMay } from '../../ui/session.tsx'
import { Board } from './board.tsx'
import { BoardHead } from './board-head.tsx'
import styles from './dashboards.module.css'
import { WallBar } from './wall-bar.tsx'

const Editor = lazy(async () => ({ default: (await import('./edit/editor.tsx')).Editor }))
const route = getRouteApi('/dashboards/$dashboard')

/** A dashboard: as it is, while it is edited, or alone on a wall. */
export function DashboardPage() {
  const { dashboard: id } = route.useParams()
  const { edit = false } = route.useSearch()
  const mayChange = useMay('Dashboard Management')
  const { data, error } = useRead('dashboard', readDashboard, [id])
  if (hasCode(error, 'not_found') && !edit) return <NotFoundPage />
  return (
    <>
      {error !== null && <Trouble error={error} isShown={data !== undefined} />}
      {data !== undefined &&
        (edit && mayChange ? (
          <Suspense>
            <Editor key={id} dashboard={data} />
          </Suspense>
        ) : (
          <Shown dashboard={data} />
        ))}
    </>
  )
}

function Shown({ dashboard }: { readonly dashboard: Dashboard }) {
  const { wall, period: asked } = route.useSearch()
  const { document } = dashboard
  const period = asked ?? (document.period as Period | undefined) ?? '24h'
  return (
    <div className={wall === 1 ? styles.wall : undefined}>
      {wall === 1 ? (
        <WallBar name={document.name} />
      ) : (
        <BoardHead dashboard={dashboard} period={period} />
      )}
      <Board document={document} period={period} />
    </div>
  )
}
