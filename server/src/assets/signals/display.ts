import { checkedText, invalid, limits } from '../../kernel/index.ts'
import type { ChannelSpec, SignalDisplay } from '../types.ts'

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
export function displayOf({ control, sampleRateMs, reportRateMs }: ChannelSpec): SignalDisplay {
  return { control, sampleRateMs, reportRateMs }
}
