import { Code, FileInput, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { type ImportedConnector, importConnector } from '../../../api/connectors.ts'
import { Action } from '../../../components/controls/action.tsx'
import { TextField } from '../../../components/controls/fields.tsx'
import { LinkAction } from '../../../components/controls/link-action.tsx'
import { PageLink } from '../../../components/controls/page-link.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { fieldError } from '../../../ui/field-errors.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from './settings.module.css'
import { settingTexts } from './texts.ts'

const texts = defineTexts({
  file: ['Definition (JSON)', 'Definition (JSON)'],
  fileHint: [
    'As another platform or Millrace exported it.',
    'Wie eine andere Plattform oder Millrace sie exportiert hat.',
  ],
  noJson: ['The file is no JSON object.', 'Die Datei ist kein JSON-Objekt.'],
  found: (count: number) => [
    `It defines ${count} resources.`,
    `Sie definiert ${count} Ressourcen.`,
  ],
  done: ['The connector is there:', 'Der Konnektor ist angelegt:'],
  dropped: [
    'Fields that have no meaning here and were left out:',
    'Felder, die hier keine Bedeutung haben und weggelassen wurden:',
  ],
})

type Definition = ImportedConnector & { readonly name?: string }
type Done = Awaited<ReturnType<typeof importConnector>>

/** Makes a connector of a definition in a file. */
export function ImportConnector() {
  const t = useTexts(texts)
  const s = useTexts(settingTexts)
  const [read, setRead] = useState<Definition | 'bad'>()
  const [name, setName] = useState('')
  const [done, setDone] = useState<Done>()
  const { isBusy, error, run, reset } = useChange<ImportedConnector>(async (client, wanted) => {
    setDone(await importConnector(client, wanted))
  })
  if (done !== undefined) return <Imported done={done} />
  const definition = read === 'bad' ? undefined : read
  const choose = async (file: File | null) => {
    reset()
    const parsed = file === null ? undefined : ((await parse(file)) ?? 'bad')
    setRead(parsed)
    setName(parsed === undefined || parsed === 'bad' ? '' : (parsed.name ?? ''))
  }
  const nameError = fieldError(error, 'name')
  return (
    <Paper withBorder p="md" className={styles.card}>
      <FileInput
        label={t.file}
        description={t.fileHint}
        placeholder="connector.json"
        accept="application/json,.json"
        onChange={choose}
        error={read === 'bad' ? t.noJson : undefined}
      />
      {definition !== undefined && (
        <>
          <TextField
            label={s.name}
            mt="sm"
            value={name}
            error={nameError}
            size="sm"
            onChange={setName}
          />
          <Text size="sm" mt="xs">
            {t.found(Object.keys(definition.resources ?? {}).length)}
          </Text>
        </>
      )}
      {error !== null && nameError === undefined && <Trouble error={error} />}
      <Group gap="xs" mt="md">
        <Action
          text={t.import}
          main
          busy={isBusy}
          disabled={definition === undefined}
          onClick={() => run({ ...definition, name })}
        />
        <LinkAction text={t.cancel} to="/connectors" />
      </Group>
    </Paper>
  )
}

function Imported({ done: { id, name, dropped } }: { readonly done: Done }) {
  const t = useTexts(texts)
  return (
    <Paper withBorder p="md" className={styles.card} role="status">
      <Text>
        {t.done}{' '}
        <PageLink to="/connectors/$connector" params={{ connector: id }} size="md" text={name} />
      </Text>
      {dropped.length > 0 && (
        <Text size="sm" mt="xs">
          {t.dropped} <Code>{dropped.join(', ')}</Code>
        </Text>
      )}
    </Paper>
  )
}

/** Undefined for what is no JSON object. */
async function parse(file: File): Promise<Definition | undefined> {
  try {
    const value: unknown = JSON.parse(await file.text())
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Definition) : undefined
  } catch {
    return undefined
  }
}
