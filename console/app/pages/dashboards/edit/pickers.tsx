import { ActionIcon, Input, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { listAssets } from '../../../api/assets.ts'
import type { DashboardPanel } from '../../../api/dashboards/dashboards.ts'
import { readPanelAssets, readPanelSignals } from '../../../api/dashboards/panels.ts'
import { SelectField } from '../../../components/controls/fields.tsx'
import { Icon } from '../../../components/icon.tsx'
import { useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../dashboards.module.css'

const texts = defineTexts({
  find: ['Find by name', 'Nach Namen suchen'],
  none: ['No asset matches.', 'Keine Anlage passt.'],
  choose: ['Choose a signal', 'Signal wählen'],
  chosen: ['Chosen', 'Gewählt'],
  remove: (name: string) => [`Remove ${name}`, `${name} entfernen`],
  unknown: ['deleted, or not visible', 'gelöscht oder nicht sichtbar'],
})

type ShownSignals = NonNullable<DashboardPanel['signals']>

const foundMax = 20
const typingMs = 200

type AssetSelectProps = {
  readonly value: string | null
  readonly error?: string | undefined
  readonly onChoose: (id: string | null) => void
}

/** An asset, found by letters of its name. */
function AssetSelect({ value, error, onChoose }: AssetSelectProps) {
  const t = useTexts(texts)
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed, typingMs)
  const found = useRead(
    'board-assets',
    listAssets,
    [{ filters: { text, orderBy: 'name' }, limit: foundMax, offset: 0 }],
    { keepsBefore: true },
  )
  return (
    <Select
      label={t.asset}
      placeholder={t.find}
      searchable
      clearable={false}
      value={value}
      error={error}
      // The server has searched in descriptions, too.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      onChange={onChoose}
      nothingFoundMessage={t.none}
      data={(found.data?.assets ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}

type SignalPickerProps = {
  readonly chosen: ShownSignals
  readonly most: number
  readonly numbersOnly: boolean
  readonly error: string | undefined
  readonly onChange: (chosen: ShownSignals) => void
}

/** Signals of any assets; a panel of one signal takes the last that was chosen. */
export function SignalPicker({ chosen, most, numbersOnly, error, onChange }: SignalPickerProps) {
  const t = useTexts(texts)
  const [asset, setAsset] = useState<string | null>(null)
  const ids = chosen.map(({ signal }) => signal)
  const named = useRead(
    'board-signals',
    readPanelSignals,
    [{ signalIds: ids, assetIds: chosen.map((one) => one.asset), withValues: false }],
    { keepsBefore: true },
  )
  const signalName = (id: string) => {
    const found = named.data?.find((one) => one.id === id)
    return found === undefined ? t.unknown : `${found.assetName} · ${found.name}`
  }
  const add = (signal: string) => {
    if (asset === null || signal === '' || ids.includes(signal)) return
    const next = [...chosen, { asset, signal }]
    onChange(most === 1 ? next.slice(-1) : next.slice(0, most))
  }
  return (
    <>
      <Chosen
        items={chosen.map(({ signal }) => ({ id: signal, name: signalName(signal) }))}
        onRemove={(id) => onChange(chosen.filter(({ signal }) => signal !== id))}
      />
      <AssetSelect value={asset} error={error} onChoose={setAsset} />
      {asset !== null && (
        <SignalSelect key={asset} {...{ asset, numbersOnly, ids }} onChoose={add} />
      )}
    </>
  )
}

type SignalSelectProps = {
  readonly asset: string
  readonly numbersOnly: boolean
  readonly ids: readonly string[]
  readonly onChoose: (id: string) => void
}

function SignalSelect({ asset, numbersOnly, ids, onChoose }: SignalSelectProps) {
  const t = useTexts(texts)
  const read = useRead('board-asset', readPanelAssets, [
    { ids: [asset], withSignals: true, withValues: false },
  ])
  const signals = (read.data?.[0]?.signals ?? []).filter(
    ({ primitiveType }) => !numbersOnly || primitiveType === 'NUMERIC',
  )
  const last = signals.find(({ id }) => ids.at(-1) === id)
  return (
    <SelectField
      label={t.signal}
      value={last?.id ?? ''}
      data={[
        { value: '', label: t.choose },
        ...signals.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      size="sm"
      onChange={onChoose}
    />
  )
}

type AssetPickerProps = {
  readonly chosen: readonly string[]
  readonly error: string | undefined
  readonly onChange: (chosen: string[]) => void
}

/** Several assets. */
export function AssetPicker({ chosen, error, onChange }: AssetPickerProps) {
  const t = useTexts(texts)
  const named = useRead(
    'board-chosen',
    readPanelAssets,
    [{ ids: chosen, withSignals: false, withValues: false }],
    { keepsBefore: true },
  )
  const assetName = (id: string) => named.data?.find((one) => one.id === id)?.name ?? t.unknown
  return (
    <>
      <Chosen
        items={chosen.map((id) => ({ id, name: assetName(id) }))}
        onRemove={(id) => onChange(chosen.filter((one) => one !== id))}
      />
      <AssetSelect
        value={null}
        error={error}
        onChoose={(id) => id !== null && !chosen.includes(id) && onChange([...chosen, id])}
      />
    </>
  )
}

type Item = { readonly id: string; readonly name: string }
type ChosenProps = { readonly items: readonly Item[]; readonly onRemove: (id: string) => void }

function Chosen({ items, onRemove }: ChosenProps) {
  const t = useTexts(texts)
  if (items.length === 0) return null
  return (
    <Input.Wrapper label={t.chosen} labelElement="div">
      <ul className={styles.chosen} aria-label={t.chosen}>
        {items.map(({ id, name }) => (
          <li key={id}>
            {name}
            <ActionIcon
              variant="subtle"
              size="sm"
              aria-label={t.remove(name)}
              onClick={() => onRemove(id)}
            >
              <Icon name="bin" size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </Input.Wrapper>
  )
}
