import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import Drawing from 'uplot'
import { currentLanguage } from '../../ui/texts.ts'
import type { PlotProps, PlotSeries } from './intervals.ts'
import styles from './plot.module.css'

/** Colours that differ also for those who do not see red or green. */
const colours = {
  light: ['#0b7285', '#b35900', '#5f3dc4', '#a61e4d', '#2b6a1f', '#495057'],
  dark: ['#3bc9db', '#ffa94d', '#b197fc', '#faa2c1', '#8ce99a', '#ced4da'],
} as const

const axisColours = { light: ['#4d565e', '#d5dbe0'], dark: ['#a9b1b8', '#353b41'] } as const

/** Draws with uPlot; a drag chooses a range. */
export function PlotCanvas(props: PlotProps & { readonly heightPx: number }) {
  const { label, series, fromMs, toMs, onZoom, heightPx } = props
  const scheme = useComputedColorScheme('light')
  const place = useRef<HTMLElement>(null)
  const zoom = useRef(onZoom)
  zoom.current = onZoom
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const options = { ...plotOptions(series, scheme), width: element.clientWidth, height: heightPx }
    const drawing = new Drawing(
      {
        ...options,
        scales: { x: { time: true, range: () => [fromMs / 1_000, toMs / 1_000] } },
        hooks: { setSelect: [(drawn) => chosen(drawn, zoom.current)] },
      },
      alignSeries(series),
      element,
    )
    const observer = new ResizeObserver(() =>
      drawing.setSize({ width: element.clientWidth, height: heightPx }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      drawing.destroy()
    }
  }, [series, scheme, fromMs, toMs, heightPx])
  return <figure ref={place} aria-label={label} className={styles.plot} />
}

const dragPxMin = 5

function chosen(drawing: Drawing, onZoom: PlotProps['onZoom']): void {
  const { left, width } = drawing.select
  if (width < dragPxMin || onZoom === undefined) return
  const at = (px: number) => Math.round(drawing.posToVal(px, 'x') * 1_000)
  onZoom(at(left), at(left + width))
}

function plotOptions(series: readonly PlotSeries[], scheme: 'light' | 'dark') {
  const [stroke, grid] = axisColours[scheme]
  const axis = { stroke, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } }
  const numbers = new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 3 })
  const times = new Intl.DateTimeFormat(currentLanguage(), {
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  let colour = -1
  return {
    axes: [{ ...axis }, { ...axis, size: 60 }],
    cursor: { drag: { x: true, y: false, setScale: false } },
    series: [
      { value: (_: Drawing, at: number | null) => (at ? times.format(at * 1_000) : '–') },
      ...series.map(({ label, isBefore = false }) => {
        if (!isBefore) colour += 1
        return {
          label,
          stroke: colours[scheme][colour % colours[scheme].length] ?? stroke,
          width: isBefore ? 1 : 2,
          ...(isBefore && { dash: [6, 4] }),
          value: (_: Drawing, value: number | null) =>
            value == null ? '–' : numbers.format(value),
        }
      }),
    ],
  }
}

/** Returns a column of times in seconds, and one of numbers for each series. */
function alignSeries(series: readonly PlotSeries[]): Drawing.AlignedData {
  const times = [...new Set(series.flatMap(({ points }) => points.map(({ ts }) => ts)))]
  times.sort((a, b) => a - b)
  const place = new Map(times.map((ts, index) => [ts, index]))
  const columns = series.map(({ points }) => {
    const column: (number | null | undefined)[] = Array.from({ length: times.length })
    for (const { ts, value } of points) column[place.get(ts) ?? 0] = value
    return column
  })
  return [times.map((ts) => ts / 1_000_000), ...columns]
}
