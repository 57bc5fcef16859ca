import { Paper, SimpleGrid, TextInput } from '@mantine/core'
import type { TemplateDocument } from '../../../api/templates.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../assets.module.css'

const texts = defineTexts(
  { name: 'Name', description: 'Description', assetType: 'Kind of asset' },
  { de: { name: 'Name', description: 'Beschreibung', assetType: 'Art der Anlage' } },
)

/** A part of a template, and how it changes; undefined where the role may not change it. */
export type TemplatePartProps = {
  readonly document: TemplateDocument
  readonly onChange: ((part: Partial<TemplateDocument>) => void) | undefined
}

/** What a template is called. */
export function TemplateWords({ document, onChange }: TemplatePartProps) {
  const t = useTexts(texts)
  return (
    <Paper withBorder p="md" mb="sm" className={styles.paper}>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
        {(['name', 'description', 'assetType'] as const).map((field) => (
          <TextInput
            key={field}
            size="xs"
            label={t[field]}
            maxLength={field === 'name' ? 200 : undefined}
            value={document[field] ?? ''}
            readOnly={onChange === undefined}
            onChange={(event) => onChange?.({ [field]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Paper>
  )
}
