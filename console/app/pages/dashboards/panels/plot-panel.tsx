import { useElementSize } from '@mantine/hooks'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PanelSignal } from '../../../api/dashboards/panels.ts'
import { type Course, readCourse } from '../../../api/signals.ts'
import type { Period } from '../../../components/plot/intervals.ts'
import { chooseInterval, lengthsMs, toPoints } from '../../../components/plot/intervals.ts'
import { Plot } from '../../../components/plot/plot.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { isOutage } from '../../../ui/errors.ts'
import { useSignedIn } from '../../../ui/session.tsx'
import { type UnitOf, useUnitFor } from '../../../ui/units/shown-units.ts'
import styles from '../dashboards.module.css'

type Props = {
  readonly signals: readonly PanelSignal[]
  readonly period: Period
  readonly label: string
}

type Read = Course & { readonly fromMs: number; readonly toMs: number; readonly every: string }

const everyMsMin = 5_000
/** A longer period is read again more seldom: its points are further apart. */
const readsPerPeriod = 1_000
/** The widths of a line of the legend, of a letter in it, and of the space around a label. */
const legendPx = 32
const letterPx = 8
const aroundPx = 64
const heightPxMin = 80

/** The course of signals over the period of the dashboard, up to now. */
export function PlotPanel({ signals, period, label }: Props) {
  const { ref, width, height } = useElementSize()
  const unitOf = useUnitFor()
  const courses = useCourses(signals, period, unitOf)
  const error = courses.find((one) => one.error !== null)?.error ?? null
  const readAt = courses.map(({ dataUpdatedAt }) => dataUpdatedAt).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the times say when the data are others
  const series = useMemo(
    () => signals.map((signal, at) => toSeries(signal, courses[at]?.data, unitOf)),
    [readAt, unitOf, signals.map(({ id, name }) => `${id} ${name}`).join()],
  )
  const [first] = courses
  const labels = series.map((one) => one.label)
  const drawnPx = Math.max(height - legendPx * countLines(labels, width), heightPxMin)
  return (
    <div ref={ref} className={styles.plot}>
      {error !== null && !isOutage(error) && <Trouble error={error} />}
      {first?.data !== undefined && height > 0 && (
        <Plot
          label={label}
          series={series}
          fromMs={first.data.fromMs}
          toMs={first.data.toMs}
          heightPx={drawnPx}
        />
      )}
    </div>
  )
}

/** Returns the number of lines that the legend needs, behind the time with which it begins. */
function countLines(labels: readonly string[], width: number): number {
  let lines = 1
  let usedPx = aroundPx + letterPx
  for (const label of labels) {
    const px = label.length * letterPx + aroundPx
    if (usedPx + px > width) {
      lines += 1
      usedPx = 0
    }
    usedPx += px
  }
  return lines
}

function useCourses(signals: readonly PanelSignal[], period: Period, unitOf: UnitOf | undefined) {
  const { client } = useSignedIn()
  const lengthMs = lengthsMs[period]
  return useQueries({
    queries: signals.map((one) => ({
      queryKey: ['course', one.id, { board: period, unit: unitOf?.(one).id ?? null }],
      enabled: unitOf !== undefined,
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Read> => {
        const toMs = Date.now()
        const range = { fromMs: toMs - lengthMs, toMs, every: chooseInterval(lengthMs) }
        const wanted = { ...range, aggregate: 'avg' as const, compares: false }
        const unit = unitOf?.(one).id ?? null
        return { ...(await readCourse(client, one.id, { ...wanted, unit }, signal)), ...range }
      },
      refetchInterval: Math.max(everyMsMin, lengthMs / readsPerPeriod),
      placeholderData: keepPreviousData,
    })),
  })
}

function toSeries(signal: PanelSignal, read: Read | undefined, unitOf: UnitOf | undefined) {
  const { name, assetName } = signal
  const unit = unitOf?.(signal).sign ?? ''
  const label = `${assetName} · ${name}${unit === '' ? '' : ` (${unit})`}`
  return { label, points: read === undefined ? [] : toPoints(read.now, read.every, 0) }
}
