import { Checkbox, MultiSelect, NativeSelect, Paper, Group as Row } from '@mantine/core'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { changePreferences, type PreferredUnits } from '../../api/people/own-account.ts'
import { type AssetDetail, type Course, readCourse, type Signal } from '../../api/signals.ts'
import { Action } from '../../components/controls/action.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { NoValues, useMaySeeValues } from '../../components/no-values.tsx'
import type { PlotSeries } from '../../components/plot/intervals.ts'
import { chooseInterval, lengthsMs, toPoints } from '../../components/plot/intervals.ts'
import { Plot } from '../../components/plot/plot.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { isOutage } from '../../ui/errors.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { usePreferredUnits } from '../../ui/units/preferences.ts'
import { chooseUnits, type UnitOf, type Units, useUnitFor } from '../../ui/units/shown-units.ts'
import styles from './assets.module.css'
import { download, toCsv } from './csv.ts'

const texts = defineTexts({
  signals: ['Signals in the plot', 'Signale im Diagramm'],
  period: ['Period', 'Zeitraum'],
  '1h': ['Last hour', 'Letzte Stunde'],
  '24h': ['Last 24 hours', 'Letzte 24 Stunden'],
  '7d': ['Last 7 days', 'Letzte 7 Tage'],
  '30d': ['Last 30 days', 'Letzte 30 Tage'],
  '365d': ['Last year', 'Letztes Jahr'],
  range: ['chosen range', 'gewählter Bereich'],
  aggregate: ['Each point is', 'Jeder Punkt ist'],
  avg: ['the average', 'der Mittelwert'],
  min: ['the least value', 'der kleinste Wert'],
  max: ['the greatest value', 'der größte Wert'],
  sum: ['the sum', 'die Summe'],
  count: ['the number of values', 'die Anzahl der Werte'],
  units: ['Units', 'Einheiten'],
  own: ['of the signal', 'des Signals'],
  metric: ['metric', 'metrisch'],
  us: ['US customary', 'US-amerikanisch'],
  compare: ['Compare with the period before', 'Mit dem Zeitraum davor vergleichen'],
  out: ['Zoom out', 'Verkleinern'],
  csv: ['Download as CSV', 'Als CSV herunterladen'],
  before: (label: string) => [`${label}, period before`, `${label}, Zeitraum davor`],
  label: (names: string) => [`Plot of ${names}`, `Diagramm von ${names}`],
  none: [
    'This asset has no signal of numbers that could be drawn.',
    'Diese Anlage hat kein Signal mit Zahlen, das sich zeichnen ließe.',
  ],
  time: ['time', 'Zeit'],
  nothing: ['There is no value in this period.', 'In diesem Zeitraum gibt es keinen Wert.'],
})

/** As many as there are colours. */
const drawnMax = 6
const everyMs = 5_000
const route = getRouteApi('/assets/$asset/{-$view}')

type PlotSearch = ReturnType<typeof route.useSearch>

/** The course of signals over a period: each choice is a part of the address. */
export function PlotView({ asset }: { readonly asset: AssetDetail }) {
  const t = useTexts(texts)
  const maySeeValues = useMaySeeValues()
  const numeric = asset.signals.filter(({ primitiveType }) => primitiveType === 'NUMERIC')
  const { signals: asked } = route.useSearch()
  const named = numeric.filter(({ id }) => asked?.split(',').includes(id))
  const chosen = (named.length > 0 ? named : numeric.slice(0, 1)).slice(0, drawnMax)
  if (!maySeeValues) return <NoValues />
  if (numeric.length === 0) return <NextStep>{t.none}</NextStep>
  return (
    <Paper withBorder p="md" className={styles.paper}>
      <Choice numeric={numeric} chosen={chosen} />
      <Drawn asset={asset} chosen={chosen} />
    </Paper>
  )
}

function useBecome() {
  const navigate = route.useNavigate()
  return (part: PlotSearch) => navigate({ search: (before) => ({ ...before, ...part }) })
}

type ChoiceProps = { readonly numeric: readonly Signal[]; readonly chosen: readonly Signal[] }

function Choice({ numeric, chosen }: ChoiceProps) {
  const t = useTexts(texts)
  const search = route.useSearch()
  const become = useBecome()
  const { period = '24h', aggregate = 'avg', compare = false, from } = search
  const preferred = usePreferredUnits() ?? {}
  const prefer = useChange<ReturnType<typeof makePreferences>>((client, units) =>
    changePreferences(client, { units }),
  )
  const [first] = chosen
  const units = first === undefined ? 'own' : chooseUnits(first, search.units, preferred)
  const options = (names: readonly (keyof typeof texts.en)[]) =>
    names.map((value) => ({ value, label: `${t[value]}` }))
  return (
    <Row gap="sm" align="end" mb="sm">
      <MultiSelect
        label={t.signals}
        size="xs"
        maxValues={drawnMax}
        data={numeric.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen.map(({ id }) => id)}
        onChange={(ids) => become({ signals: ids.join(',') || undefined })}
        searchable
        flex="1 1 16rem"
      />
      <NativeSelect
        label={t.period}
        size="xs"
        value={from === undefined ? period : 'range'}
        data={options([
          ...(from === undefined ? [] : ['range' as const]),
          ...(Object.keys(lengthsMs) as (keyof typeof lengthsMs)[]),
        ])}
        onChange={({ currentTarget: { value } }) => {
          const next = value as keyof typeof lengthsMs
          become({ period: next, from: undefined, to: undefined })
        }}
      />
      <NativeSelect
        label={t.aggregate}
        size="xs"
        value={aggregate}
        data={options(['avg', 'min', 'max', 'sum', 'count'])}
        onChange={({ currentTarget: { value } }) =>
          become({ aggregate: value as NonNullable<PlotSearch['aggregate']> })
        }
      />
      <NativeSelect
        label={t.units}
        size="xs"
        value={units}
        data={options(['own', 'metric', 'us'])}
        onChange={({ currentTarget: { value } }) => {
          const next = value as Units
          become({ units: next })
          prefer.run(makePreferences(chosen, next))
        }}
      />
      <Checkbox
        label={t.compare}
        size="xs"
        checked={compare}
        onChange={({ currentTarget: { checked } }) =>
          become({ compare: checked ? true : undefined })
        }
      />
      {prefer.error !== null && <Trouble error={prefer.error} />}
    </Row>
  )
}

type Read = Course & { readonly fromMs: number; readonly toMs: number; readonly every: string }

/** The preferences that a choice for signals makes; none for types that the catalogue lacks. */
function makePreferences(
  signals: readonly Signal[],
  units: Units,
): Record<string, PreferredUnits | null> {
  const types = signals.flatMap(({ type }) => (type === null ? [] : [type.id]))
  return Object.fromEntries(types.map((type) => [type, units === 'own' ? null : units]))
}

/** Each signal takes one request, whatever the period: the server makes the points. */
function useCourses(chosen: readonly Signal[], unitOf: UnitOf | undefined) {
  const { client } = useSignedIn()
  const { period = '24h', aggregate = 'avg', compare = false, from, to } = route.useSearch()
  const unitNow = (signal: Signal) => unitOf?.(signal).id ?? null
  return useQueries({
    queries: chosen.map((signal) => ({
      queryKey: [
        'course',
        signal.id,
        { period, aggregate, unit: unitNow(signal), compare, from, to },
      ],
      enabled: unitOf !== undefined,
      queryFn: async ({ signal: abort }: { signal: AbortSignal }): Promise<Read> => {
        const toMs = to ?? Date.now()
        const fromMs = from ?? toMs - lengthsMs[period]
        const every = chooseInterval(toMs - fromMs)
        const wanted = { fromMs, toMs, every, aggregate, unit: unitNow(signal) }
        const course = await readCourse(client, signal.id, { ...wanted, compares: compare }, abort)
        return { ...course, fromMs, toMs, every }
      },
      refetchInterval: everyMs,
      placeholderData: keepPreviousData,
    })),
  })
}

type DrawnProps = { readonly asset: AssetDetail; readonly chosen: readonly Signal[] }

function Drawn({ asset, chosen }: DrawnProps) {
  const t = useTexts(texts)
  const { from, to, units, compare = false } = route.useSearch()
  const become = useBecome()
  const unitOf = useUnitFor(units)
  const courses = useCourses(chosen, unitOf)
  const error = courses.find((one) => one.error !== null)?.error ?? null
  const reads = courses.map(({ data }) => data)
  const readAt = courses.map(({ dataUpdatedAt }) => dataUpdatedAt).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the times say when the data are others
  const series = useMemo(
    () => chosen.flatMap((signal, index) => toSeries(signal, reads[index], { t, unitOf, compare })),
    [readAt, chosen.map(({ id }) => id).join(), t, unitOf, compare],
  )
  const [first] = reads
  const zoomOut = () => {
    if (first === undefined) return
    const half = (first.toMs - first.fromMs) / 2
    become({ from: first.fromMs - half, to: first.toMs + half })
  }
  return (
    <>
      {error !== null && !isOutage(error) && <Trouble error={error} />}
      {first !== undefined && (
        <Plot
          label={t.label(chosen.map(({ name }) => name).join(', '))}
          series={series}
          fromMs={from ?? first.fromMs}
          toMs={to ?? first.toMs}
          onZoom={(fromMs, toMs) => become({ from: fromMs, to: toMs })}
        />
      )}
      {first !== undefined && series.every(({ points }) => points.length === 0) && (
        <NextStep>{t.nothing}</NextStep>
      )}
      <Row gap="xs" mt="xs">
        <Action text={t.out} onClick={zoomOut} />
        <Action
          text={t.csv}
          icon="download"
          onClick={() => download(`${asset.name}.csv`, toCsv(t.time, series))}
        />
      </Row>
    </>
  )
}

type SeriesOptions = {
  readonly t: { readonly before: (label: string) => string }
  readonly unitOf: UnitOf | undefined
  readonly compare: boolean
}

/** The points of the period before lie a period later than they were. */
function toSeries(
  signal: Signal,
  read: Read | undefined,
  { t, unitOf, compare }: SeriesOptions,
): PlotSeries[] {
  const unit = unitOf?.(signal).sign ?? ''
  const label = unit === '' ? signal.name : `${signal.name} (${unit})`
  if (read === undefined) return [{ label, points: [] }]
  const shiftUs = (read.toMs - read.fromMs) * 1_000
  const now = { label, points: toPoints(read.now, read.every, 0) }
  const points = toPoints(read.before, read.every, shiftUs)
  return compare ? [now, { label: t.before(label), points, isBefore: true }] : [now]
}
