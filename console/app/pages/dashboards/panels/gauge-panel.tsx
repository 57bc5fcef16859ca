import type { DashboardPanel } from '../../../api/dashboards/dashboards.ts'
import type { PanelSignal } from '../../../api/dashboards/panels.ts'
import type { Value } from '../../../api/signals.ts'
import { Faint } from '../../../components/line.tsx'
import { useTexts } from '../../../ui/texts.ts'
import { reading, useUnitFor } from '../../../ui/units/shown-units.ts'
import { shownValue } from '../../../ui/words.ts'
import styles from '../dashboards.module.css'
import { boardTexts } from '../texts.ts'
import { levelFor } from './levels.ts'

type Props = {
  readonly panel: DashboardPanel
  readonly signal: PanelSignal
  readonly last: Value | null
  readonly label: string
}

/** The newest value of a signal between two ends. */
export function GaugePanel({ panel, signal, last, label }: Props) {
  const words = useTexts(boardTexts)
  const unitOf = useUnitFor()
  const { minimum = 0, maximum = 100, warning, critical } = panel
  if (last === null) return <Faint>{words.noValue}</Faint>
  const value = typeof last.value === 'number' ? last.value : Number.NaN
  if (Number.isNaN(value)) return <Faint>{shownValue(last.value, null)}</Faint>
  if (unitOf === undefined) return null
  const unit = unitOf(signal)
  const { text: digits, sign } = reading(value, signal, unit)
  // The bounds are in the unit of the signal; as parts of the track they are the same in each.
  const part = (at: number) => Math.min(Math.max((at - minimum) / (maximum - minimum), 0), 1)
  const text = `${digits} ${sign}`.trim()
  return (
    <div className={styles.gauge}>
      <svg viewBox="0 0 200 122" role="img" aria-label={`${label}: ${text}`}>
        <path d={arc(0, 1, 80)} className={styles.track} />
        <path
          d={arc(0, part(value), 80)}
          className={styles.level}
          data-level={levelFor(value, panel)}
        />
        {warning !== undefined && <Mark at={part(warning)} level="warning" />}
        {critical !== undefined && <Mark at={part(critical)} level="critical" />}
        <text x="100" y="92" className={styles.reading}>
          {text}
        </text>
        <text x="20" y="119" className={styles.end}>
          {shownValue(unit.convert(minimum), null)}
        </text>
        <text x="180" y="119" className={styles.end}>
          {shownValue(unit.convert(maximum), null)}
        </text>
      </svg>
    </div>
  )
}

/** A short line across the track, at a limit. */
function Mark({ at, level }: { readonly at: number; readonly level: string }) {
  const [x1, y1] = point(at, 68)
  const [x2, y2] = point(at, 94)
  return <line {...{ x1, y1, x2, y2 }} className={styles.mark} data-level={level} />
}

/** Returns a point of a half circle from left to right around (100, 100). */
function point(part: number, radius: number): readonly [number, number] {
  const angle = Math.PI * (1 - part)
  return [100 + radius * Math.cos(angle), 100 - radius * Math.sin(angle)]
}

function arc(from: number, to: number, radius: number): string {
  const [x1, y1] = point(from, radius)
  const [x2, y2] = point(to, radius)
  return `M ${x1} ${y1} A ${radius} ${radius} 0 0 1 ${x2} ${y2}`
}
