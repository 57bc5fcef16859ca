import { NumberInput, Group as Row } from '@mantine/core'
import { useState } from 'react'
import type { DashboardPanel } from '../../../api/dashboards/dashboards.ts'
import { listGroups } from '../../../api/groups.ts'
import { LongField, SelectField, TextField } from '../../../components/controls/fields.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { useLive } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { boardTexts } from '../texts.ts'
import { AssetPicker, SignalPicker } from './pickers.tsx'

const texts = defineTexts({
  add: ['Add a panel', 'Feld hinzufügen'],
  change: ['Change the panel', 'Feld ändern'],
  addAction: ['Add', 'Hinzufügen'],
  apply: ['Apply', 'Übernehmen'],
  type: ['Type', 'Art'],
  title: ['Title', 'Titel'],
  titleHint: ['Empty: the name of what it shows.', 'Leer: der Name dessen, was es zeigt.'],
  source: ['Shows', 'Zeigt'],
  group: ['Assets of a group', 'Anlagen einer Gruppe'],
  assets: ['Chosen assets', 'Gewählte Anlagen'],
  signals: ['Chosen signals', 'Gewählte Signale'],
  groupName: ['Group', 'Gruppe'],
  signalName: ['Name of the signal with the values', 'Name des Signals mit den Werten'],
  signalHint: ['Empty: no values, the status alone.', 'Leer: keine Werte, nur der Status.'],
  minimum: ['From', 'Von'],
  maximum: ['To', 'Bis'],
  warning: ['Warning at', 'Warnung ab'],
  critical: ['Critical at', 'Kritisch ab'],
  limitsHint: [
    "In the signal's own unit. A critical limit below the warning: low values are the bad ones.",
    'In der eigenen Einheit des Signals. Liegt die kritische Grenze unter der Warnung, sind ' +
      'niedrige Werte schlecht.',
  ],
  wanted: ['Choose what the panel shows.', 'Wählen Sie, was das Feld zeigt.'],
  textWanted: ['A text has 1 to 4,000 characters.', 'Ein Text hat 1 bis 4.000 Zeichen.'],
  ends: [
    'The upper end must be greater than the lower one.',
    'Das obere Ende muss größer sein als das untere.',
  ],
})

type PanelType = DashboardPanel['type']
type Source = 'signals' | 'assets' | 'group' | 'text'

/** The contents that a panel of a type may show, the most signals, and its size at first. */
const shapes: Readonly<
  Record<
    PanelType,
    { sources: readonly Source[]; signals: number; size: readonly [number, number] }
  >
> = {
  value: { sources: ['signals'], signals: 1, size: [3, 3] },
  plot: { sources: ['signals'], signals: 6, size: [6, 5] },
  gauge: { sources: ['signals'], signals: 1, size: [3, 4] },
  table: { sources: ['group', 'assets', 'signals'], signals: 20, size: [6, 5] },
  map: { sources: ['group', 'assets'], signals: 0, size: [6, 5] },
  status: { sources: ['group', 'assets'], signals: 0, size: [4, 4] },
  text: { sources: ['text'], signals: 0, size: [3, 3] },
}

type Props = {
  /** Undefined: a new one. */
  readonly panel: DashboardPanel | undefined
  readonly onDone: (panel: DashboardPanel) => void
  readonly onClose: () => void
}

/** The contents of a panel, and their form. */
export function PanelForm({ panel, onDone, onClose }: Props) {
  const t = useTexts(texts)
  const words = useTexts(boardTexts)
  const [form, setForm] = useState<DashboardPanel>(panel ?? newPanel())
  const [source, setSource] = useState<Source>(() => sourceKind(form))
  const [isTried, setTried] = useState(false)
  const { sources } = shapes[form.type]
  const become = (part: Partial<DashboardPanel>) => setForm((before) => ({ ...before, ...part }))
  const choose = (type: PanelType) => {
    const [width, height] = shapes[type].size
    become({ type, ...(panel === undefined && { width, height }) })
    const [first = 'text'] = shapes[type].sources
    if (panel === undefined || !shapes[type].sources.includes(source)) setSource(first)
  }
  const submit = () => {
    setTried(true)
    if (!isComplete(form, source)) return
    onDone(cleaned(form, source))
    onClose()
  }
  const wrong = isTried && !isComplete(form, source)
  return (
    <FormDialog
      title={panel === undefined ? t.add : t.change}
      action={panel === undefined ? t.addAction : t.apply}
      isBusy={false}
      error={null}
      onSubmit={submit}
      onClose={onClose}
      size="lg"
    >
      <SelectField
        label={t.type}
        value={form.type}
        data={(Object.keys(shapes) as PanelType[]).map((value) => ({ value, label: words[value] }))}
        size="sm"
        onChange={(next) => choose(next as PanelType)}
      />
      <TextField
        label={t.title}
        description={t.titleHint}
        value={form.title ?? ''}
        maxLength={200}
        size="sm"
        onChange={(next) => become({ title: next })}
      />
      {sources.length > 1 && (
        <SelectField
          label={t.source}
          value={source}
          data={sources.map((value) => ({ value, label: t[value] }))}
          size="sm"
          onChange={(next) => setSource(next as Source)}
        />
      )}
      <SourceFields {...{ form, source, become, wrong }} />
      {(form.type === 'gauge' || form.type === 'value') && (
        <LimitFields {...{ form, become, isTried }} />
      )}
    </FormDialog>
  )
}

type FieldsProps = {
  readonly form: DashboardPanel
  readonly become: (part: Partial<DashboardPanel>) => void
}

function SourceFields({
  form,
  source,
  become,
  wrong,
}: FieldsProps & { readonly source: Source; readonly wrong: boolean }) {
  const t = useTexts(texts)
  const error = wrong ? t.wanted : undefined
  if (source === 'text') {
    return (
      <LongField
        label={t.text}
        value={form.text ?? ''}
        rows={6}
        maxLength={4_000}
        error={wrong ? t.textWanted : undefined}
        size="sm"
        onChange={(next) => become({ text: next })}
      />
    )
  }
  if (source === 'signals') {
    const most = shapes[form.type].signals
    const of = {
      chosen: form.signals ?? [],
      most,
      error,
      numbersOnly: form.type !== 'table' && form.type !== 'value',
    }
    return <SignalPicker {...of} onChange={(signals) => become({ signals })} />
  }
  return (
    <>
      {source === 'group' ? (
        <GroupField {...{ form, become, error }} />
      ) : (
        <AssetPicker
          chosen={form.assets ?? []}
          error={error}
          onChange={(assets) => become({ assets })}
        />
      )}
      {form.type === 'table' && (
        <TextField
          label={t.signalName}
          description={t.signalHint}
          maxLength={200}
          value={form.signal_name ?? ''}
          size="sm"
          onChange={(next) => become({ signal_name: next })}
        />
      )}
    </>
  )
}

function GroupField({ form, become, error }: FieldsProps & { readonly error: string | undefined }) {
  const t = useTexts(texts)
  const groups = useLive(['groups'], listGroups)
  const data = (groups.data ?? []).map(({ id, name, depth }) => {
    return { value: id, label: `${'\u2003'.repeat(depth)}${name}` }
  })
  return (
    <SelectField
      label={t.groupName}
      value={form.group ?? ''}
      error={error}
      data={[{ value: '', label: '–' }, ...data]}
      size="sm"
      onChange={(next) => become({ group: next })}
    />
  )
}

function LimitFields({ form, become, isTried }: FieldsProps & { readonly isTried: boolean }) {
  const t = useTexts(texts)
  const names = ['minimum', 'maximum', 'warning', 'critical'] as const
  const shown = form.type === 'gauge' ? names : names.slice(2)
  const endsError = isTried && form.type === 'gauge' && !hasEnds(form) ? t.ends : undefined
  return (
    <Row gap="sm" align="start" grow>
      {shown.map((name) => (
        <NumberInput
          key={name}
          label={t[name]}
          value={form[name] ?? ''}
          {...(name === 'minimum' && { placeholder: '0' })}
          {...(name === 'maximum' && { placeholder: '100', error: endsError })}
          onChange={(value) => become({ [name]: typeof value === 'number' ? value : undefined })}
        />
      ))}
    </Row>
  )
}

function newPanel(): DashboardPanel {
  const [width, height] = shapes.value.size
  const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(36),
  ).join('')
  return { id, type: 'value', column: 0, row: 0, width, height }
}

function sourceKind({ type, group, assets, signals }: DashboardPanel): Source {
  if (group !== undefined) return 'group'
  if (assets !== undefined) return 'assets'
  return signals === undefined ? (shapes[type].sources[0] ?? 'text') : 'signals'
}

function isComplete(form: DashboardPanel, source: Source): boolean {
  const { signals = [] } = form
  if (form.type === 'gauge' && !hasEnds(form)) return false
  if (source === 'signals') return signals.length > 0 && signals.length <= shapes[form.type].signals
  if (source === 'assets') return (form.assets ?? []).length > 0
  return (form[source] ?? '') !== ''
}

function hasEnds({ minimum = 0, maximum = 100 }: DashboardPanel): boolean {
  return minimum < maximum
}

/** Without what another type or another source has left behind. */
function cleaned(form: DashboardPanel, source: Source): DashboardPanel {
  const { id, type, title, column, row, width, height, signal_name: name } = form
  const limits =
    type === 'gauge'
      ? (['minimum', 'maximum', 'warning', 'critical'] as const)
      : type === 'value'
        ? (['warning', 'critical'] as const)
        : []
  const given = [source, ...limits].filter((field) => form[field] !== undefined)
  return {
    ...{ id, type, column, row, width, height },
    ...(title !== undefined && title.trim() !== '' && { title: title.trim() }),
    ...Object.fromEntries(given.map((field) => [field, form[field]])),
    ...(type === 'table' && source !== 'signals' && name?.trim() && { signal_name: name.trim() }),
  }
}
