import { checkedText, invalid, limits } from '../../kernel/index.ts'

/** How a signal is shown, and what its device's channel says of it. */
export type SignalDisplay = {
  readonly visualize?: boolean | null | undefined
  readonly record?: boolean | null | undefined
  readonly favorite?: boolean | null | undefined
  readonly archived?: boolean | null | undefined
  readonly deviceDiagnostic?: boolean | null | undefined
  /** The cloud may write it. */
  readonly control?: boolean | null | undefined
  readonly baseline?: number | null | undefined
  readonly target?: number | null | undefined
  readonly sampleRateMs?: number | null | undefined
  readonly reportRateMs?: number | null | undefined
  readonly displayFormat?: string | null | undefined
  readonly visualizationUnitsMetric?: string | null | undefined
  readonly visualizationUnitsUS?: string | null | undefined
}

/** The fields that are a boolean, a number or a text. */
const flags = [
  'visualize',
  'record',
  'favorite',
  'archived',
  'deviceDiagnostic',
  'control',
] as const
const numbers = ['baseline', 'target', 'sampleRateMs', 'reportRateMs'] as const
const texts = ['displayFormat', 'visualizationUnitsMetric', 'visualizationUnitsUS'] as const

/** How a signal is shown, without what was not given. @throws Fault `invalid_argument`. */
export function checkedDisplay(display: SignalDisplay): SignalDisplay {
  const given = (value: unknown) => value !== null && value !== undefined
  const found: Record<string, boolean | number | string> = {}
  for (const name of flags) {
    const value = display[name]
    if (given(value)) found[name] = value === true
  }
  for (const name of numbers) {
    const value = display[name]
    if (value === null || value === undefined) continue
    if (!Number.isFinite(value)) throw invalid(`${name} is a finite number`)
    found[name] = value
  }
  for (const name of texts) {
    const value = display[name]
    if (value) found[name] = checkedText(value, name, limits.nameCharsMax)
  }
  return found
}

/** What a channel says of the signal that it feeds. */
export function displayOf({
  control,
  sampleRateMs,
  reportRateMs,
}: Pick<SignalDisplay, 'control' | 'sampleRateMs' | 'reportRateMs'>): SignalDisplay {
  return { control, sampleRateMs, reportRateMs }
}
