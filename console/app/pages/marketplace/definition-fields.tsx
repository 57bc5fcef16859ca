import { FileInput, SegmentedControl } from '@mantine/core'
import { LongField, TextField } from '../../components/controls/fields.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './marketplace.module.css'

const texts = defineTexts({
  by: ['The definition comes from', 'Die Definition kommt aus'],
  file: ['a file', 'einer Datei'],
  url: ['a URL', 'einer URL'],
  text: ['text', 'Text'],
  fileLabel: ['OpenAPI 2.0 file, JSON or YAML', 'OpenAPI-2.0-Datei, JSON oder YAML'],
  choose: ['Choose a file', 'Datei wählen'],
  urlLabel: ['URL of the OpenAPI 2.0 file', 'URL der OpenAPI-2.0-Datei'],
  textLabel: ['OpenAPI 2.0, JSON or YAML', 'OpenAPI 2.0, JSON oder YAML'],
  base: ['Base URL', 'Basis-URL'],
  baseHelp: [
    'Only if the host in the file is wrong: where the module is served.',
    'Nur wenn der Host in der Datei falsch ist: wo das Modul erreichbar ist.',
  ],
})

/** The source of a definition, and what was typed of it. */
export type DefinitionDraft = {
  readonly by: 'file' | 'url' | 'text'
  readonly text: string
  readonly url: string
  readonly base: string
}

export const emptyDefinition: DefinitionDraft = { by: 'file', text: '', url: '', base: '' }

/** The part of a request that names a definition; nothing where none was given. */
export function toDefinition({ by, text, url, base }: DefinitionDraft) {
  const given = by === 'url' ? { definitionUrl: url.trim() } : { definition: text }
  const isGiven = by === 'url' ? url.trim() !== '' : text !== ''
  return { ...(isGiven && given), ...(base.trim() !== '' && { base: base.trim() }) }
}

type Props = {
  readonly draft: DefinitionDraft
  readonly fault?: string | undefined
  readonly onChange: (draft: DefinitionDraft) => void
}

/** A definition by a file, a URL or a text; a file becomes a text that can be corrected here. */
export function DefinitionFields({ draft, fault, onChange }: Props) {
  const t = useTexts(texts)
  const set = (part: Partial<DefinitionDraft>) => onChange({ ...draft, ...part })
  const sources = ['file', 'url', 'text'] as const
  const take = async (file: File | null) => {
    if (file !== null) set({ by: 'text', text: await file.text() })
  }
  return (
    <div className={styles.form}>
      <SegmentedControl
        aria-label={t.by}
        size="xs"
        value={draft.by}
        data={sources.map((by) => ({ value: by, label: t[by] }))}
        onChange={(by) => set({ by: sources.find((one) => one === by) ?? 'file' })}
      />
      {draft.by === 'file' && (
        <FileInput
          label={t.fileLabel}
          placeholder={t.choose}
          size="xs"
          accept=".json,.yaml,.yml,application/json"
          error={fault}
          onChange={take}
        />
      )}
      {draft.by === 'url' && (
        <TextField
          label={t.urlLabel}
          inputMode="url"
          placeholder="https://insight.example.com/api-docs"
          error={fault}
          value={draft.url}
          onChange={(next) => set({ url: next })}
        />
      )}
      {draft.by === 'text' && (
        <LongField
          label={t.textLabel}
          autosize
          minRows={8}
          maxRows={18}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          error={fault}
          value={draft.text}
          onChange={(next) => set({ text: next })}
        />
      )}
      <TextField
        label={t.base}
        description={t.baseHelp}
        inputMode="url"
        value={draft.base}
        onChange={(next) => set({ base: next })}
      />
    </div>
  )
}
