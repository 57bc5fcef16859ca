import { Group, NativeSelect, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { type Simulation, simulatePipeline } from '../../api/pipelines.ts'
import { Action } from '../../components/controls/action.tsx'
import { Heading } from '../../components/controls/heading.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { serverNowUs } from '../../ui/clock.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { useSubmit } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { moment, shownValue } from '../../ui/words.ts'
import { type Draft, toChange } from './document.ts'
import styles from './pipelines.module.css'

const hourUs = 3_600_000_000
const ranges = { hour: hourUs, day: 24 * hourUs, week: 168 * hourUs } as const
type RangeName = keyof typeof ranges

const texts = defineTexts({
  title: ['Simulate before saving', 'Vor dem Speichern simulieren'],
  intro: [
    'What was recorded goes through this pipeline and the saved one. Nothing is stored.',
    'Aufgezeichnete Werte laufen durch diese und durch die gespeicherte Pipeline. Nichts ' +
      'davon wird gespeichert.',
  ],
  range: ['Recorded in', 'Aufgezeichnet in'],
  hour: ['the last hour', 'der letzten Stunde'],
  day: ['the last day', 'den letzten 24 Stunden'],
  week: ['the last 7 days', 'den letzten 7 Tagen'],
  run: ['Simulate', 'Simulieren'],
  values: (count: number) => [
    `${count} recorded values went through.`,
    `${count} aufgezeichnete Werte sind durchgelaufen.`,
  ],
  fired: (name: string, count: number, live: number) => [
    `${name}: would have fired ${times(count, 'time', 'times')} (saved pipeline: ${live})`,
    `${name}: hätte ${count}-mal ausgelöst (gespeicherte Pipeline: ${live})`,
  ],
  acted: (name: string, count: number, live: number) => [
    `${name}: would have run ${times(count, 'time', 'times')} (saved pipeline: ${live})`,
    `${name}: wäre ${count}-mal gelaufen (gespeicherte Pipeline: ${live})`,
  ],
  differs: (name: string, count: number) => [
    `${name}: ${times(count, 'value differs', 'values differ')}`,
    `${name}: ${count} ${count === 1 ? 'Wert weicht' : 'Werte weichen'} ab`,
  ],
  first: (at: string, live: string, changed: string) => [
    `first at ${at}: ${live}, now ${changed}`,
    `zuerst am ${at}: ${live}, jetzt ${changed}`,
  ],
  same: [
    'No signal, rule or action differs from the saved pipeline.',
    'Kein Signal, keine Regel und keine Aktion weicht von der gespeicherten Pipeline ab.',
  ],
  failed: (name: string, count: number, reason: string) => [
    `${name}: ${times(count, 'call failed', 'calls failed')}: ${reason}`,
    `${name}: ${count} ${count === 1 ? 'Aufruf' : 'Aufrufe'} fehlgeschlagen: ${reason}`,
  ],
})

function times(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`
}

type Props = { readonly asset: string; readonly draft: Draft }

/** Runs recorded values through the pipeline as it is edited, beside the one that is saved. */
export function SimulationPane({ asset, draft }: Props) {
  const t = useTexts(texts)
  const { client } = useSignedIn()
  const [found, setFound] = useState<Simulation>()
  const [range, setRange] = useState<RangeName>('day')
  const { error, isBusy, submit } = useSubmit(async () => {
    setFound(undefined)
    const to = serverNowUs()
    const change = toChange(draft)
    setFound(await simulatePipeline(client, asset, { from: to - ranges[range], to, change }))
  })
  return (
    <Paper component="section" aria-label={t.title} withBorder p="md" mt="md">
      <Heading text={t.title} />
      <Text size="sm" c="dimmed">
        {t.intro}
      </Text>
      <form onSubmit={submit}>
        <Group gap="xs" align="end" mt="xs">
          <NativeSelect
            label={t.range}
            size="xs"
            value={range}
            data={rangeNames.map((name) => ({ value: name, label: t[name] }))}
            onChange={({ currentTarget: { value } }) =>
              setRange(rangeNames.find((name) => name === value) ?? 'day')
            }
          />
          <Action text={t.run} submit busy={isBusy} />
        </Group>
      </form>
      {error !== undefined && <Trouble error={error} />}
      <div role="status">{found !== undefined && <Result found={found} />}</div>
    </Paper>
  )
}

const rangeNames = ['hour', 'day', 'week'] as const

function Result({ found }: { readonly found: Simulation }) {
  const t = useTexts(texts)
  const { live, changed, difference, notes, values } = found
  const rules = changed.rules.map(({ linkId, name, fired }) => {
    const before = live.rules.find((one) => one.linkId === linkId)?.fired ?? 0
    return t.fired(name, fired, before)
  })
  const actions = changed.actions.map(({ linkId, name, count }) => {
    const before = live.actions.find((one) => one.linkId === linkId)?.count ?? 0
    return t.acted(name, count, before)
  })
  const signals = difference.signals.map(({ name, count, first }) => {
    const before = shownValue(first.live ?? null, null)
    const after = shownValue(first.changed ?? null, null)
    return `${t.differs(name, count)}, ${t.first(moment(first.ts), before, after)}`
  })
  const failures = changed.failures.map(({ name, count, reason }) => t.failed(name, count, reason))
  const { rules: ruleTimes, actions: actionTimes } = difference
  const differs = [ruleTimes, actionTimes, difference.signals].some((list) => list.length > 0)
  return (
    <>
      <Text size="sm" mt="xs">
        {t.values(values)} {!differs && t.same}
      </Text>
      <ul className={styles.results}>
        {[...rules, ...actions, ...signals, ...failures, ...notes].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  )
}
