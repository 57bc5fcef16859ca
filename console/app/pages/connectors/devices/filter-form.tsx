import { Group, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { Action } from '../../../components/controls/action.tsx'
import { SelectField } from '../../../components/controls/fields.tsx'
import { statusTexts } from '../../../ui/devices/device-texts.ts'
import { fieldError } from '../../../ui/field-errors.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { type DeviceSearch, parseDeviceSearch, statuses } from './filter.ts'

const texts = defineTexts({
  filters: ['Filters', 'Filter'],
  text: ['Identity holds', 'Identität enthält'],
  online: ['Connection', 'Verbindung'],
  tag: ['Tag', 'Tag'],
  tagHint: ['name or name:value', 'Name oder Name:Wert'],
  address: ['Address or range', 'Adresse oder Bereich'],
  any: ['any', 'alle'],
  yes: ['online', 'online'],
  no: ['offline', 'offline'],
  clear: ['Clear the filters', 'Filter aufheben'],
})

type Props = {
  readonly search: DeviceSearch
  readonly onChange: (search: DeviceSearch) => void
  /** Why the list could not be read. */
  readonly error: Error | null
}

const typingMs = 300

/** The filters of the devices: each change begins at the first page. */
export function FilterForm({ search, onChange, error }: Props) {
  const t = useTexts(texts)
  const words = useTexts(statusTexts)
  const set = (part: Readonly<Record<string, string>>) => {
    const { before: _, ...rest } = search
    onChange(parseDeviceSearch({ ...rest, ...part }))
  }
  const isFiltered = Object.keys(search).some((name) => name !== 'before')
  const key = isFiltered ? 'filtered' : 'all'
  const of = { search, set }
  return (
    <Group gap="xs" mb="xs" align="end" role="search" aria-label={t.filters}>
      <Typed key={`text-${key}`} {...of} name="text" label={t.text} error={undefined} />
      <SelectField
        label={t.status}
        value={search.status ?? ''}
        data={[
          { value: '', label: t.any },
          ...statuses.map((value) => ({ value, label: words[value] })),
        ]}
        onChange={(next) => set({ status: next })}
      />
      <SelectField
        label={t.online}
        value={search.online ?? ''}
        data={[
          { value: '', label: t.any },
          { value: 'yes', label: t.yes },
          { value: 'no', label: t.no },
        ]}
        onChange={(next) => set({ online: next })}
      />
      <Typed
        key={`tag-${key}`}
        {...{ ...of, name: 'tag', label: t.tag, placeholder: t.tagHint }}
        error={fieldError(error, 'tag')}
      />
      <Typed
        key={`address-${key}`}
        {...{ ...of, name: 'address', label: t.address, placeholder: '10.0.0.0/8' }}
        error={fieldError(error, 'ipaddress')}
      />
      {isFiltered && <Action text={t.clear} icon="cross" onClick={() => onChange({})} />}
    </Group>
  )
}

type TypedProps = {
  readonly search: DeviceSearch
  readonly set: (part: Readonly<Record<string, string>>) => void
  readonly name: 'text' | 'tag' | 'address'
  readonly label: string
  readonly placeholder?: string
  readonly error: string | undefined
}

/** A field whose text goes into the address a moment after it was typed. */
function Typed({ search, set, name, error, ...rest }: TypedProps) {
  const [typed, setTyped] = useState(search[name] ?? '')
  const later = useDebouncedCallback((value: string) => set({ [name]: value }), typingMs)
  return (
    <TextInput
      {...rest}
      size="xs"
      value={typed}
      error={error}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        later(value.trim())
      }}
    />
  )
}
