import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'

/** A line of a plot. */
export type PlotSeries = {
  /** Its name, with its unit. */
  readonly label: string
  /** Oldest first: microseconds since 1970, and a number; null where it has a gap. */
  readonly points: readonly { readonly ts: number; readonly value: number | null }[]
  /** Dashed, in the colour of the series before it: the same in another period. */
  readonly isBefore?: boolean
}

export type PlotProps = {
  /** Its text for screen readers. */
  readonly label: string
  readonly series: readonly PlotSeries[]
  /** The range that is shown, milliseconds since 1970. */
  readonly fromMs: number
  readonly toMs: number
  /** Called with the range that a person has drawn; without it there is no zoom. */
  readonly onZoom?: (fromMs: number, toMs: number) => void
  /** Of the drawing, without its legend. */
  readonly heightPx?: number
}

const usualPx = 320
const Canvas = lazy(async () => ({ default: (await import('./plot-canvas.tsx')).PlotCanvas }))

/** Numbers over time. The drawing program is loaded when the first plot is shown. */
export function Plot({ heightPx = usualPx, ...props }: PlotProps) {
  return (
    <Suspense fallback={<Skeleton height={heightPx} />}>
      <Canvas {...props} heightPx={heightPx} />
    </Suspense>
  )
}
