import { Group, Title } from '@mantine/core'
import { useId, useState } from 'react'
import type { Client } from '../../api/client.ts'
import { useLive } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { moment } from '../../ui/words.ts'
import { SelectField } from '../controls/fields.tsx'
import { Trouble } from '../trouble.tsx'
import type { Version } from './version.ts'
import styles from './versions.module.css'

const texts = defineTexts({
  compare: ['Compare two versions', 'Zwei Versionen vergleichen'],
  from: ['From version', 'Von Version'],
  to: ['to version', 'bis Version'],
  nothing: ['They are the same.', 'Sie sind gleich.'],
  reading: ['Reading', 'Wird gelesen'],
})

/** The numbers of two versions. */
export type Compared = { readonly version: number; readonly since: number }

export type CompareProps = {
  /** Newest first. */
  readonly versions: readonly Version[]
  /** The key of the list of them. */
  readonly list: readonly unknown[]
  /** A line for each part that differs. */
  readonly read: (
    client: Client,
    compared: Compared,
    signal: AbortSignal,
  ) => Promise<readonly string[]>
}

/** The changes from one version to another, as the server compares them. */
export function CompareVersions({ versions, list, read }: CompareProps) {
  const t = useTexts(texts)
  const title = useId()
  const [newest, second] = versions
  // The newest two until others are chosen: the list may be of before at first.
  const [chosen, setChosen] = useState<Partial<Compared>>({})
  const compared: Compared = {
    version: newest?.version ?? 1,
    since: second?.version ?? 1,
    ...chosen,
  }
  const { data, error } = useLive(
    [...list, compared.since, compared.version],
    (client, signal) => read(client, compared, signal),
    { keepsBefore: true },
  )
  const choices = versions.map(({ version, savedAt }) => {
    return { value: `${version}`, label: `${version} · ${moment(savedAt)}` }
  })
  return (
    <section aria-labelledby={title} className={styles.compare}>
      <Title order={3} size="h6" id={title} mb={4}>
        {t.compare}
      </Title>
      <Group gap="sm" align="end">
        {(['since', 'version'] as const).map((end) => (
          <SelectField
            key={end}
            label={end === 'since' ? t.from : t.to}
            data={choices}
            value={`${compared[end]}`}
            onChange={(next) => setChosen({ ...chosen, [end]: Number(next) })}
          />
        ))}
      </Group>
      {error !== null && <Trouble error={error} isShown={data !== undefined} />}
      {data === undefined && error === null && <p role="status">{t.reading}</p>}
      {data !== undefined && (
        <ul aria-live="polite">
          {(data.length === 0 ? [t.nothing] : data).map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two parts may have one name
            <li key={at}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
