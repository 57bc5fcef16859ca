import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { PlotProps } from './intervals.ts'

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
