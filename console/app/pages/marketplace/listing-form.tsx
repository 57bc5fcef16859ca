import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { changeListing, type ListingChange, type ListingDetails } from '../../api/listings.ts'
import { Action } from '../../components/controls/action.tsx'
import { SelectField, TextField } from '../../components/controls/fields.tsx'
import { Part } from '../../components/controls/part.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { DefinitionFields, emptyDefinition, toDefinition } from './definition-fields.tsx'
import styles from './marketplace.module.css'
import { RefusedDefinition } from './refused-definition.tsx'
import { marketTexts } from './texts.ts'

const texts = defineTexts({
  title: ['Change it', 'Ändern'],
  intro: [
    'Modules that use it, and their links, go on with it. Give a definition to replace it.',
    'Module, die es nutzen, und ihre Verknüpfungen laufen damit weiter. Geben Sie eine ' +
      'Definition an, um die bisherige zu ersetzen.',
  ],
})

/** Changes a listing of the business: its name, who may use it, its definition, its host. */
export function ListingForm({ listing }: { readonly listing: ListingDetails }) {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const [name, setName] = useState(listing.name)
  const [visibility, setVisibility] = useState(listing.visibility)
  const [source, setSource] = useState({ ...emptyDefinition, base: listing.givenBase ?? '' })
  const [isSaved, setSaved] = useState(false)
  const { isBusy, error, run } = useChange<ListingChange>((client, change) =>
    changeListing(client, listing.id, change),
  )
  const save = () => {
    setSaved(false)
    const { base = null, ...definition } = toDefinition(source)
    const moved = base === listing.givenBase ? {} : { base }
    const tolerant = listing.problems.length > 0 && visibility === 'private'
    const given = name.trim() === '' ? {} : { name: name.trim() }
    const change = { ...definition, ...moved, ...given, visibility }
    run(tolerant ? { ...change, tolerant } : change, () => setSaved(true))
  }
  return (
    <Part title={t.title}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.intro}
      </Text>
      <div className={styles.form}>
        <TextField label={market.name} value={name} onChange={setName} />
        <SelectField
          label={market.visibility}
          value={visibility}
          data={(['private', 'public'] as const).map((value) => ({ value, label: market[value] }))}
          onChange={(next) => setVisibility(next === 'public' ? 'public' : 'private')}
        />
        <DefinitionFields draft={source} onChange={setSource} />
        {error !== null && (
          <div>
            <Trouble error={error} />
            <RefusedDefinition error={error} text={source.by === 'url' ? '' : source.text} />
          </div>
        )}
        <Group gap="sm">
          <Action text={market.save} main busy={isBusy} onClick={save} />
          <Text size="sm" role="status">
            {isSaved && !isBusy ? t.saved : ''}
          </Text>
        </Group>
      </div>
    </Part>
  )
}
