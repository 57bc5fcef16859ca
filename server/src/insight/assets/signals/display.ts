import {
  checkedText,
  invalid,
  limits,
  type StaticInput,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'

/** The display of a signal, and the description of its device's channel. */
export const signalDisplaySchema = StrictObject(
  {
    visualize: Type.Optional(Type.Boolean()),
    record: Type.Optional(Type.Boolean()),
    favorite: Type.Optional(Type.Boolean()),
    archived: Type.Optional(Type.Boolean()),
    deviceDiagnostic: Type.Optional(Type.Boolean()),
    // The cloud may write it.
    control: Type.Optional(Type.Boolean()),
    baseline: Type.Optional(Type.Number()),
    target: Type.Optional(Type.Number()),
    sampleRateMs: Type.Optional(Type.Number()),
    reportRateMs: Type.Optional(Type.Number()),
    displayFormat: Type.Optional(Type.String()),
    visualizationUnitsMetric: Type.Optional(Type.String()),
    visualizationUnitsUS: Type.Optional(Type.String()),
  },
  { description: 'How it is shown.' },
)
export type SignalDisplay = StaticInput<typeof signalDisplaySchema>

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

/** Returns the display of a signal without fields that were not given. */
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

/** Returns the display that a channel describes for the signal that it feeds. */
export function pickDisplay({
  control,
  sampleRateMs,
  reportRateMs,
}: Pick<SignalDisplay, 'control' | 'sampleRateMs' | 'reportRateMs'>): SignalDisplay {
  return { control, sampleRateMs, reportRateMs }
}
