import { Button, Chip, Group, Paper, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { enums } from '@millrace/client'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Solution } from '../../../api/notifications.ts'
import {
  followSolutionLines,
  listSolutionLines,
  type SolutionLine,
  type SolutionLineType,
} from '../../../api/solution-runs.ts'
import { FeedState } from '../../../components/feed-state.tsx'
import { Icon } from '../../../components/icon.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { isOutage } from '../../../ui/errors.ts'
import { LineFeed } from '../../../ui/log-feed.ts'
import { useSignedIn } from '../../../ui/session.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../solutions.module.css'
import { SolutionLines } from './solution-lines.tsx'

const texts = defineTexts(
  {
    text: 'Text',
    any: 'any',
    types: 'Only lines of these types',
    count: (count: number) => `${count} lines`,
    waiting: (count: number) => `paused: ${count} new`,
    pause: 'Pause',
    resume: 'Resume',
    again: 'Try again',
    noMatch: 'No line matches.',
    none: 'No script of this solution has run yet.',
  },
  {
    de: {
      text: 'Text',
      any: 'beliebig',
      types: 'Nur Zeilen dieser Arten',
      count: (count: number) => `${count} Zeilen`,
      waiting: (count: number) => `angehalten: ${count} neu`,
      pause: 'Anhalten',
      resume: 'Fortsetzen',
      again: 'Erneut versuchen',
      noMatch: 'Keine Zeile passt.',
      none: 'Noch ist kein Skript dieser Lösung gelaufen.',
    },
  },
)

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
        <TextInput
          label={t.text}
          placeholder={t.any}
          size="xs"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
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
      <Shown feed={feed} nothing={text !== '' || types.length > 0 ? t.noMatch : t.none} />
    </Paper>
  )
}

type ShownProps = { readonly feed: LineFeed<SolutionLine>; readonly nothing: string }

function Shown({ feed, nothing }: ShownProps) {
  const t = useTexts(texts)
  const { state, problem, lines, paused, waiting, loaded } = useSyncExternalStore(
    feed.subscribe,
    feed.current,
  )
  return (
    <>
      <Line ends>
        <Line>
          <FeedState state={state} />
          <Faint>
            {t.count(lines.length)}
            {paused && `, ${t.waiting(waiting)}`}
          </Faint>
        </Line>
        <Line>
          {state === 'stopped' && (
            <Button variant="default" size="xs" onClick={feed.start}>
              {t.again}
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name={paused ? 'play' : 'pause'} />}
            onClick={() => feed.setPaused(!paused)}
          >
            {paused ? t.resume : t.pause}
          </Button>
        </Line>
      </Line>
      {problem !== undefined && !isOutage(problem) && (
        <Trouble error={problem} isShown={lines.length > 0} />
      )}
      {lines.length > 0 && <SolutionLines lines={lines} />}
      {lines.length === 0 && loaded && <Faint>{nothing}</Faint>}
    </>
  )
}
