import { Chip, Group, Paper } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { enums } from '@millrace/client'
import { useEffect, useMemo, useState } from 'react'
import type { Solution } from '../../../api/notifications.ts'
import {
  followSolutionLines,
  listSolutionLines,
  type SolutionLine,
  type SolutionLineType,
} from '../../../api/solution-runs.ts'
import { TextField } from '../../../components/controls/fields.tsx'
import { FeedView } from '../../../components/log/feed-view.tsx'
import { LineFeed } from '../../../ui/log-feed.ts'
import { useSignedIn } from '../../../ui/session.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../solutions.module.css'
import { SolutionLines } from './solution-lines.tsx'

const texts = defineTexts({
  any: ['any', 'beliebig'],
  types: ['Only lines of these types', 'Nur Zeilen dieser Arten'],
  noMatch: ['No line matches.', 'Keine Zeile passt.'],
  none: ['No script of this solution has run yet.', 'Noch ist kein Skript dieser Lösung gelaufen.'],
})

const typingMs = 300

/** The live log of a solution. */
export function SolutionLogView({ solution: { id } }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const { client } = useSignedIn()
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), typingMs)
  const [types, setTypes] = useState<readonly SolutionLineType[]>([])
  const feed = useMemo(() => {
    const filter = { text, types }
    return new LineFeed<SolutionLine>({
      list: (limit, signal) => listSolutionLines(client, id, { ...filter, limit }, signal),
      follow: (options) => followSolutionLines(client, id, filter, options),
    })
  }, [client, id, text, types])
  useEffect(() => {
    feed.start()
    return feed.stop
  }, [feed])
  return (
    <Paper withBorder p="md" className={styles.panel}>
      <Group gap="md" align="end" mb="sm">
        <TextField label={t.text} placeholder={t.any} value={typed} onChange={setTyped} />
        <Group gap={6} role="group" aria-label={t.types}>
          <Chip.Group
            multiple
            value={[...types]}
            onChange={(chosen) =>
              setTypes(enums.SolutionLineType.filter((type) => chosen.includes(type)))
            }
          >
            {enums.SolutionLineType.map((type) => (
              <Chip key={type} value={type} size="xs">
                {type}
              </Chip>
            ))}
          </Chip.Group>
        </Group>
      </Group>
      <FeedView feed={feed} nothing={text !== '' || types.length > 0 ? t.noMatch : t.none}>
        {(lines) => <SolutionLines lines={lines} />}
      </FeedView>
    </Paper>
  )
}
