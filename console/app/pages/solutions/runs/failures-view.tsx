import { Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Client } from '../../../api/client.ts'
import type { Solution } from '../../../api/notifications.ts'
import {
  discardFailure,
  discardFailures,
  type Failure,
  listFailures,
  retryFailure,
  retryFailures,
} from '../../../api/solution-runs.ts'
import { Age } from '../../../components/age.tsx'
import { ChoicePane } from '../../../components/choice-pane.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { AskedAction } from '../../../components/dialogs/confirm.tsx'
import { JsonField, parseJson, shownJson } from '../../../components/json-field.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../solutions.module.css'
import { RunResult, useHandlerRun } from './run-panel.tsx'

const texts = defineTexts({
  title: ['Failures', 'Fehlschläge'],
  none: [
    'No event failed. One that a handler could not handle is kept here, to be corrected.',
    'Kein Ereignis schlug fehl. Was ein Handler nicht verarbeiten kann, bleibt hier.',
  ],
  newest: (count: number) => [`the newest ${count}`, `die neuesten ${count}`],
  tries: (count: number) => [
    count === 1 ? 'tried once' : `tried ${count} times`,
    count === 1 ? 'einmal versucht' : `${count}-mal versucht`,
  ],
  event: ['Event (JSON)', 'Ereignis (JSON)'],
  run: ['Try it now', 'Jetzt versuchen'],
  runAbout: [
    'A try calls real services; the event stays failed until it is retried.',
    'Ein Versuch ruft echte Dienste auf; erst Wiederholen erledigt das Ereignis.',
  ],
  retry: ['Retry', 'Wiederholen'],
  retryAll: ['Retry all', 'Alle wiederholen'],
  discard: ['Discard', 'Verwerfen'],
  discardTitle: ['Discard this event?', 'Dieses Ereignis verwerfen?'],
  discardLost: [
    'The event is lost: no script will handle it.',
    'Das Ereignis geht verloren: Kein Skript wird es verarbeiten.',
  ],
  discardAll: ['Discard all', 'Alle verwerfen'],
  discardAllTitle: [
    'Discard all events that failed?',
    'Alle fehlgeschlagenen Ereignisse verwerfen?',
  ],
  discardAllLost: [
    'All of them are lost, also those that are not shown.',
    'Alle gehen verloren, auch solche, die nicht gezeigt werden.',
  ],
})

const failuresShown = 100
const route = getRouteApi('/solutions/$solution/{-$view}')

/** The events that a solution failed to handle, and the chosen one to correct. */
export function FailuresView({ solution: { id: solution } }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const navigate = route.useNavigate()
  const { id } = route.useSearch()
  const failures = useRead('failures', listFailures, [solution, { limit: failuresShown }])
  const count = failures.data?.length ?? 0
  const choose = (next: string) => navigate({ search: { id: next } })
  return (
    <ChoicePane
      title={t.title}
      query={failures}
      aside={count === failuresShown && <Faint inline>{t.newest(count)}</Faint>}
      tools={count > 0 && <ForAll solution={solution} />}
      none={t.none}
      itemKey={(one) => one.id}
      chosen={id}
      onChoose={choose}
      of={(one) => [
        `${one.service}_${one.event}`,
        <Correction key={one.id} solution={solution} failure={one} />,
      ]}
    >
      {(one) => <Item failure={one} />}
    </ChoicePane>
  )
}

function Item({ failure: { service, event, error, failed_at: at } }: { failure: Failure }) {
  return (
    <>
      <Line ends>
        <span>
          {service}_{event}
        </span>
        <Faint inline>
          <Age at={at} />
        </Faint>
      </Line>
      <Faint>{error.error}</Faint>
    </>
  )
}

function ForAll({ solution }: { readonly solution: string }) {
  const t = useTexts(texts)
  const retry = useChange<void>((client) => retryFailures(client, solution))
  const discard = (client: Client) => discardFailures(client, solution)
  return (
    <>
      <Group gap="xs" mb="xs">
        <Action text={t.retryAll} busy={retry.isBusy} onClick={() => retry.run()} />
        <AskedAction
          action={t.discardAll}
          title={t.discardAllTitle}
          loss={t.discardAllLost}
          work={discard}
        />
      </Group>
      {retry.error !== null && <Trouble error={retry.error} />}
    </>
  )
}

type CorrectionProps = { readonly solution: string; readonly failure: Failure }

function Correction({ solution, failure }: CorrectionProps) {
  const t = useTexts(texts)
  const { id, service, event, argument, error, tries } = failure
  const [text, setText] = useState(shownJson(argument))
  const { value, problem } = { value: undefined, ...parseJson(text) }
  const attempt = useHandlerRun(solution, service, event)
  const retry = useChange<unknown>((client, argument) =>
    retryFailure(client, solution, id, { argument }),
  )
  const discard = (client: Client) => discardFailure(client, solution, id)
  return (
    <>
      <span className={styles.name}>{error.error}</span>
      <Faint>{t.tries(tries)}</Faint>
      <JsonField label={t.event} text={text} onChange={setText} />
      <Group gap="xs" my="xs">
        <Action
          text={t.retry}
          main
          busy={retry.isBusy}
          disabled={problem !== undefined}
          onClick={() => retry.run(value)}
        />
        <Action
          text={t.run}
          busy={attempt.isBusy}
          disabled={problem !== undefined}
          onClick={() => attempt.start(value)}
        />
        <AskedAction
          action={t.discard}
          title={t.discardTitle}
          loss={t.discardLost}
          work={discard}
        />
      </Group>
      <Faint>{t.runAbout}</Faint>
      {retry.error !== null && <Trouble error={retry.error} />}
      {attempt.error !== null && <Trouble error={attempt.error} />}
      {attempt.ended !== undefined && <RunResult solution={solution} ended={attempt.ended} />}
    </>
  )
}
