import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Point } from '../../../ui/devices/write-history.ts'
import { shownValue } from '../../../ui/words.ts'

type Props = { readonly name: string; readonly unit: string; readonly points: readonly Point[] }

const height = 260
const usPerSecond = 1_000_000

/** A plot over time; dragging zooms, a double click shows all again. */
export function HistoryPlot({ name, unit, points }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(undefined)
  const data: UPlot.AlignedData = [
    points.map(({ ts }) => ts / usPerSecond),
    points.map(({ value }) => value),
  ]
  const latest = useRef(data)
  latest.current = data
  useEffect(() => {
    const node = place.current
    if (node === null) return undefined
    const drawn = new UPlot(plotOptions(node, name, unit), latest.current, node)
    plot.current = drawn
    const watch = new ResizeObserver(() => drawn.setSize({ width: node.clientWidth, height }))
    watch.observe(node)
    return () => {
      watch.disconnect()
      drawn.destroy()
    }
  }, [name, unit])
  useEffect(() => {
    plot.current?.setData(data)
  })
  const last = points.at(-1)
  const label = `${name}: ${last === undefined ? '' : shownValue(last.value, null)} ${unit}`
  return (
    <div
      ref={place}
      role="img"
      aria-label={label}
      style={{ marginTop: '0.75rem', overflow: 'hidden' }}
    />
  )
}

function plotOptions(node: HTMLElement, name: string, unit: string): UPlot.Options {
  const styles = getComputedStyle(node)
  const text = styles.getPropertyValue('--mantine-color-dimmed') || styles.color
  const line = styles.getPropertyValue('--mantine-color-cyan-7') || styles.color
  const axis = { stroke: text, grid: { stroke: 'rgb(128 128 128 / 25%)', width: 1 } }
  return {
    width: node.clientWidth,
    height,
    scales: { x: { time: true } },
    axes: [axis, { ...axis, size: 60 }],
    series: [{}, { label: unit === '' ? name : `${name} (${unit})`, stroke: line, width: 2 }],
  }
}
