import { Skeleton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { Connector } from '../../../api/connectors.ts'
import type { Device } from '../../../api/devices.ts'
import { listLines } from '../../../api/logs.ts'
import { SelectField } from '../../../components/controls/fields.tsx'
import { Faint } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { toPoints } from '../../../ui/devices/write-history.ts'
import { useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { shownUnit } from '../../../ui/words.ts'

const Plot = lazy(async () => ({ default: (await import('./history-plot.tsx')).HistoryPlot }))

const texts = defineTexts({
  resource: ['Resource', 'Ressource'],
  none: [
    'This connector has no numeric resources.',
    'Dieser Konnektor hat keine numerischen Ressourcen.',
  ],
  empty: ['The log has no values of it.', 'Das Protokoll enthält keine Werte davon.'],
  count: (count: number) => [
    `the newest ${count} values, as the log of the connector keeps them`,
    `die neuesten ${count} Werte, wie das Protokoll sie aufbewahrt`,
  ],
})

type Props = { readonly connector: Connector; readonly device: Device }

const linesMax = 1_000

/** The values that a device wrote, over time. Their source is the log: it needs no asset. */
export function HistoryView({ connector, device: { identity } }: Props) {
  const t = useTexts(texts)
  const numeric = Object.entries(connector.resources).filter(
    ([, { format }]) => format === 'number',
  )
  const [chosen, setChosen] = useState(numeric[0]?.[0])
  const lines = useRead('history', listLines, [
    connector.id,
    { identity, types: ['write'], limit: linesMax },
  ])
  if (chosen === undefined) return <NextStep>{t.none}</NextStep>
  const points = toPoints(lines.data?.lines ?? [], chosen)
  return (
    <>
      <SelectField
        label={t.resource}
        maw="20rem"
        data={numeric.map(([alias]) => alias)}
        value={chosen}
        onChange={setChosen}
      />
      {lines.error !== null && <Trouble error={lines.error} isShown={lines.data !== undefined} />}
      {lines.isSuccess && points.length === 0 && <NextStep>{t.empty}</NextStep>}
      {points.length > 0 && (
        <>
          <Suspense fallback={<Skeleton height={260} mt="sm" />}>
            <Plot
              name={chosen}
              unit={shownUnit(connector.resources[chosen]?.unit)}
              points={points}
            />
          </Suspense>
          <Faint>{t.count(points.length)}</Faint>
        </>
      )}
    </>
  )
}
