import { Code, Group, Title } from '@mantine/core'
import { useState } from 'react'
import { type HandlerRun, listSolutionLines, runHandler } from '../../../api/solution-runs.ts'
import { Badge } from '../../../components/badge.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { JsonField, parseJson, shownJson } from '../../../components/json-field.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { chosenEveryMs, useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../solutions.module.css'
import { RecordedEvents } from './recorded-events.tsx'
import { SolutionLines } from './solution-lines.tsx'

const texts = defineTexts({
  title: ['Run it with a sample', 'Mit einem Beispiel ausführen'],
  about: [
    'The saved script runs, and calls real services.',
    'Das gespeicherte Skript läuft und ruft echte Dienste auf.',
  ],
  sample: ['Sample event (JSON)', 'Beispielereignis (JSON)'],
  run: ['Run', 'Ausführen'],
  returned: ['returned', 'beendet'],
  stopped: (limit: string) => [
    `stopped by a limit: ${limit}`,
    `von einer Grenze angehalten: ${limit}`,
  ],
  noLines: ['No line of its log has come yet.', 'Noch ist keine Zeile seines Protokolls da.'],
  result: ['Result', 'Ergebnis'],
})

type Props = { readonly solution: string; readonly service: string; readonly event: string }

/** Runs a handler with an event that a person writes, and shows its log. */
export function RunPanel({ solution, service, event }: Props) {
  const t = useTexts(texts)
  const [text, setText] = useState('{}')
  const { value, problem } = { value: undefined, ...parseJson(text) }
  const { start, isBusy, error, ended } = useHandlerRun(solution, service, event)
  return (
    <section aria-label={t.title}>
      <Title order={3} size="h6" mt="lg">
        {t.title}
      </Title>
      <Faint>{t.about}</Faint>
      {event === 'event' && (
        <RecordedEvents {...{ solution, service }} onChoose={(one) => setText(shownJson(one))} />
      )}
      <JsonField label={t.sample} text={text} onChange={setText} />
      <Group mt="xs">
        <Action
          text={t.run}
          busy={isBusy}
          disabled={problem !== undefined}
          onClick={() => start(value)}
        />
      </Group>
      {error !== null && <Trouble error={error} />}
      {ended !== undefined && <RunResult solution={solution} ended={ended} />}
    </section>
  )
}

/** Runs of a handler: the last one, and the function that starts the next. */
export function useHandlerRun(solution: string, service: string, event: string) {
  const [ended, setEnded] = useState<HandlerRun>()
  const { run, isBusy, error } = useChange<unknown>(async (client, argument) => {
    setEnded(undefined)
    setEnded(await runHandler(client, solution, { service, event, argument }))
  })
  return { start: (argument: unknown) => run(argument), isBusy, error, ended }
}

type ResultProps = { readonly solution: string; readonly ended: HandlerRun }

/** The end of a run, and the lines of its log. */
export function RunResult({ solution, ended }: ResultProps) {
  const t = useTexts(texts)
  const { outcome, result, error, limit, tracking_id: trackingId } = ended
  const filter = { text: '', types: [], trackingId, limit: 100 }
  const log = useRead('run-log', listSolutionLines, [solution, filter], { everyMs: chosenEveryMs })
  const lines = log.data?.lines ?? []
  return (
    <div role="status" aria-label={t.result} className={styles.result}>
      <Line>
        <Badge
          tone={outcome === 'returned' ? 'good' : 'bad'}
          icon={outcome === 'returned' ? 'check' : 'stop'}
          text={outcome === 'stopped' ? t.stopped(limit ?? '') : t[outcome]}
        />
        {error !== undefined && <span className={styles.name}>{error.error}</span>}
      </Line>
      {result !== undefined && (
        <Code block className={styles.code} mt="xs" style={{ whiteSpace: 'pre-wrap' }}>
          {shownJson(result)}
        </Code>
      )}
      {lines.length > 0 ? <SolutionLines lines={lines} /> : <Faint>{t.noLines}</Faint>}
    </div>
  )
}
