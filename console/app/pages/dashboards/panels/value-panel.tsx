import type { DashboardPanel } from '../../../api/dashboards/dashboards.ts'
import type { PanelSignal } from '../../../api/dashboards/panels.ts'
import type { Value } from '../../../api/signals.ts'
import { Age } from '../../../components/age.tsx'
import { Level } from '../../../components/asset-status.tsx'
import { Faint } from '../../../components/line.tsx'
import { useTexts } from '../../../ui/texts.ts'
import { reading, useUnitFor } from '../../../ui/units/shown-units.ts'
import styles from '../dashboards.module.css'
import { boardTexts } from '../texts.ts'
import { levelFor } from './levels.ts'

type Props = {
  readonly panel: DashboardPanel
  readonly signal: PanelSignal
  readonly last: Value | null
}

/** The newest value of a signal, large. */
export function ValuePanel({ panel, signal, last }: Props) {
  const words = useTexts(boardTexts)
  const unitOf = useUnitFor()
  if (last === null) return <Faint>{words.noValue}</Faint>
  if (unitOf === undefined) return null
  const { text, sign } = reading(last.value, signal, unitOf(signal))
  const level = levelFor(last.value, panel)
  const isNumber = typeof last.value === 'number'
  return (
    <div className={styles.value}>
      <span className={isNumber ? styles.number : styles.word} data-level={level}>
        {text}
        {isNumber && <small> {sign}</small>}
      </span>
      <Faint>
        {level !== undefined && level !== 'normal' && <Level level={level} />} <Age at={last.ts} />
      </Faint>
    </div>
  )
}
