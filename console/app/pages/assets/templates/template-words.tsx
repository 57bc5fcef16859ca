import { Paper, SimpleGrid } from '@mantine/core'
import type { TemplateDocument } from '../../../api/templates.ts'
import { TextField } from '../../../components/controls/fields.tsx'
import { createTemplateForm } from '../../../generated/forms.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../assets.module.css'

/** Words that several parts of the page of a template show. */
export const templateTexts = defineTexts({
  stay: [
    'Assets that were made of it stay as they are.',
    'Daraus angelegte Anlagen bleiben, wie sie sind.',
  ],
  changed: (what: string) => [`${what}: changed`, `${what}: geändert`],
  assetType: ['Kind of asset', 'Art der Anlage'],
  meta: ['Metadata', 'Metadaten'],
})

const fields = ['name', 'description', 'assetType', 'meta'] as const

/** Returns the line for a field of a template that was changed. */
export function useFieldLine() {
  const t = useTexts(templateTexts)
  return (field: string) => {
    const known = fields.find((one) => one === field)
    return t.changed(known === undefined ? field : t[known])
  }
}

/** A part of a template, and how it changes; undefined where the role may not change it. */
export type TemplatePartProps = {
  readonly document: TemplateDocument
  readonly onChange: ((part: Partial<TemplateDocument>) => void) | undefined
}

/** The name and description of a template. */
export function TemplateWords({ document, onChange }: TemplatePartProps) {
  const t = useTexts(templateTexts)
  return (
    <Paper withBorder p="md" mb="sm" className={styles.paper}>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
        {(['name', 'description', 'assetType'] as const).map((field) => (
          <TextField
            key={field}
            label={t[field]}
            maxLength={createTemplateForm[field]?.maxLength}
            value={document[field] ?? ''}
            readOnly={onChange === undefined}
            onChange={(next) => onChange?.({ [field]: next })}
          />
        ))}
      </SimpleGrid>
    </Paper>
  )
}
