import type { DashboardDocument } from '../../api/dashboards/dashboards.ts'
import { Icon } from '../../components/icon.tsx'
import { NextStep } from '../../components/next-step.tsx'
import type { Period } from '../../components/plot/intervals.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { byPlace } from './arranging.ts'
import styles from './dashboards.module.css'
import { Panel } from './panels/panel.tsx'
import { useBoardData } from './use-board-data.ts'

const texts = defineTexts({
  none: ['This dashboard has no panels yet.', 'Dieses Dashboard hat noch keine Felder.'],
  reconnecting: [
    'The connection was lost; values are old until it is back.',
    'Die Verbindung ist unterbrochen; bis sie wieder da ist, sind Werte alt.',
  ],
})

type Props = { readonly document: DashboardDocument; readonly period: Period }

/** The panels of a dashboard with what they show as it comes. */
export function Board({ document: { panels }, period }: Props) {
  const t = useTexts(texts)
  const data = useBoardData(panels)
  if (panels.length === 0) return <NextStep>{t.none}</NextStep>
  return (
    <>
      {data.state === 'reconnecting' && (
        <p role="status" className={styles.lost}>
          <Icon name="clock" /> {t.reconnecting}
        </p>
      )}
      <div className={styles.board} data-state={data.state} style={rowStyle(panels)}>
        {panels.toSorted(byPlace).map((panel) => (
          <Panel key={panel.id} {...{ panel, data, period }} />
        ))}
      </div>
    </>
  )
}

/** Returns the number of rows, for a wall that is filled by them. */
function rowStyle(panels: DashboardDocument['panels']) {
  const rows = Math.max(...panels.map(({ row, height }) => row + height))
  return { '--rows': rows } as object
}
