import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Asset, listAssets } from '../../../api/assets.ts'
import { createTemplate } from '../../../api/templates.ts'
import { FieldsDialog } from '../../../components/form/fields-dialog.tsx'
import { createTemplateForm } from '../../../generated/forms.ts'
import { useLive } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  title: ['New template', 'Neue Vorlage'],
  of: [
    'Asset of which it takes the signals and functions',
    'Anlage, deren Signale und Funktionen sie übernimmt',
  ],
  nothing: ['none: an empty template', 'keine: eine leere Vorlage'],
  create: ['Create the template', 'Vorlage anlegen'],
  noMatch: ['No asset matches.', 'Keine Anlage passt.'],
})

type Props = {
  /** The asset of which it is made, if that is known already. */
  readonly asset?: Pick<Asset, 'id' | 'name'>
  readonly onClose: () => void
}

/** Makes a template, of an asset or an empty one, and opens its page. */
export function NewTemplateDialog({ asset, onClose }: Props) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [of, setOf] = useState<string | null>(asset?.id ?? null)
  return (
    <FieldsDialog
      title={t.title}
      action={t.create}
      form={createTemplateForm}
      fields={[
        { name: 'name', label: t.name, value: asset?.name },
        { name: 'description', label: t.description },
        <AssetChoice key="of" known={asset} chosen={of} onChoose={setOf} />,
      ]}
      send={async (client, body) => {
        const { id } = await createTemplate(client, { ...body, ...(of !== null && { asset: of }) })
        await navigate({ to: '/assets/templates/$template/{-$view}', params: { template: id } })
      }}
      onClose={onClose}
    />
  )
}

type ChoiceProps = {
  readonly known: Pick<Asset, 'id' | 'name'> | undefined
  readonly chosen: string | null
  readonly onChoose: (id: string | null) => void
}

const foundMax = 20
const typingMs = 300

/** An asset, found by letters of its name: there may be very many. */
function AssetChoice({ known, chosen, onChoose }: ChoiceProps) {
  const t = useTexts(texts)
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed, typingMs)
  const found = useLive(
    ['asset-choice', text],
    (client, signal) => {
      const filters = { orderBy: 'name', ...(text !== '' && { text }) }
      return listAssets(client, { filters, limit: foundMax, offset: 0 }, signal)
    },
    { keepsBefore: true },
  )
  const assets = found.data?.assets ?? []
  const [name, setName] = useState(known?.name ?? '')
  const others = assets.filter(({ id }) => id !== chosen)
  const options = [...(chosen === null ? [] : [{ id: chosen, name }]), ...others]
  return (
    <Select
      label={t.of}
      placeholder={t.nothing}
      nothingFoundMessage={t.noMatch}
      data={options.map((one) => ({ value: one.id, label: one.name }))}
      // The server has searched.
      filter={({ options: all }) => all}
      value={chosen}
      searchable
      clearable
      onSearchChange={setTyped}
      onChange={(id, option) => {
        setName(option?.label ?? '')
        onChoose(id)
      }}
    />
  )
}
