import { Paper, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Listing, type NewListing, publishListing } from '../../api/listings.ts'
import { Action } from '../../components/controls/action.tsx'
import { CheckField, SelectField, TextField } from '../../components/controls/fields.tsx'
import { Form } from '../../components/controls/form.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { DefinitionFields, emptyDefinition, toDefinition } from './definition-fields.tsx'
import styles from './marketplace.module.css'
import { RefusedDefinition } from './refused-definition.tsx'
import { marketTexts } from './texts.ts'

const texts = defineTexts({
  intro: [
    'A module is a web service that is described by an OpenAPI 2.0 file.',
    'Ein Modul ist ein Webdienst, den eine OpenAPI-2.0-Datei beschreibt.',
  ],
  nameHelp: ['The title of the file if it is left empty.', 'Der Titel der Datei, wenn leer.'],
  private: ['private: for this business alone', 'privat: nur für dieses Unternehmen'],
  public: [
    'public: for every business of the instance',
    'öffentlich: für jedes Unternehmen der Instanz',
  ],
  tolerant: [
    'Keep it although it breaks rules; it stays private then',
    'Trotz Regelverstößen behalten; es bleibt dann privat',
  ],
  button: ['Publish', 'Veröffentlichen'],
  missing: ['A definition is needed.', 'Eine Definition ist erforderlich.'],
})

type Draft = {
  readonly source: typeof emptyDefinition
  readonly name: string
  readonly visibility: Listing['visibility']
  readonly isTolerant: boolean
}

const empty: Draft = { source: emptyDefinition, name: '', visibility: 'private', isTolerant: false }

/** Publishes a module by its definition; everything that is wrong with that is named. */
export function PublishPage() {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const navigate = useNavigate()
  const [draft, setDraft] = useState(empty)
  const [isTried, setTried] = useState(false)
  const { source, name, visibility, isTolerant } = draft
  const given = toDefinition(source)
  const isMissing = !('definition' in given || 'definitionUrl' in given)
  const { error, isBusy, run } = useChange<void>(async (client) => {
    const named = name.trim() === '' ? {} : { name: name.trim() }
    const wanted: NewListing = {
      ...given,
      ...named,
      visibility,
      tolerant: isTolerant && visibility === 'private',
    }
    const { id } = await publishListing(client, wanted)
    await navigate({ to: '/marketplace/listings/$listing', params: { listing: id } })
  })
  const send = () => {
    setTried(true)
    if (!isMissing) run()
  }
  return (
    <>
      <PageHead title={market.publish} />
      <div className={`${styles.stack} ${error === null ? '' : styles.two}`}>
        <Paper withBorder p="md" className={styles.card}>
          <Text size="sm" mb="sm">
            {t.intro}
          </Text>
          <Form onSubmit={send} noValidate className={styles.form}>
            <Fields
              draft={draft}
              fault={isTried && isMissing ? t.missing : undefined}
              onChange={setDraft}
            />
            <div>
              <Action text={t.button} submit busy={isBusy} />
            </div>
          </Form>
        </Paper>
        {error !== null && (
          <div>
            <Trouble error={error} />
            <RefusedDefinition error={error} text={source.by === 'url' ? '' : source.text} />
          </div>
        )}
      </div>
    </>
  )
}

type FieldsProps = {
  readonly draft: Draft
  readonly fault: string | undefined
  readonly onChange: (draft: Draft) => void
}

function Fields({ draft, fault, onChange }: FieldsProps) {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const set = (part: Partial<Draft>) => onChange({ ...draft, ...part })
  const { source, name, visibility, isTolerant } = draft
  return (
    <>
      <DefinitionFields draft={source} fault={fault} onChange={(next) => set({ source: next })} />
      <TextField
        label={market.name}
        description={t.nameHelp}
        value={name}
        onChange={(next) => set({ name: next })}
      />
      <SelectField
        label={market.visibility}
        value={visibility}
        data={visibilities.map((value) => ({ value, label: t[value] }))}
        onChange={(value) =>
          set({ visibility: visibilities.find((one) => one === value) ?? 'private' })
        }
      />
      {visibility === 'private' && (
        <CheckField
          label={t.tolerant}
          checked={isTolerant}
          onChange={(next) => set({ isTolerant: next })}
        />
      )}
    </>
  )
}

const visibilities = ['private', 'public'] as const
