import { Loader, Modal, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { type Trace, traceValue } from '../../api/pipelines.ts'
import { readNewest } from '../../api/signals.ts'
import { Trouble } from '../../components/trouble.tsx'
import { useLive, useRead } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { moment, shownValue } from '../../ui/words.ts'
import styles from './pipelines.module.css'

const traceEveryMs = 8_000
const usPerMs = 1_000
/** So many values may be chosen, the newest ones. */
const valuesMax = 50

const texts = defineTexts({
  title: ['The way of a value', 'Der Weg eines Wertes'],
  newest: ['the newest', 'der neueste'],
  write: (device: string, at: string) => [
    `${device} wrote it; stored at ${at}.`,
    `${device} hat ihn geschrieben; gespeichert ${at}.`,
  ],
  took: (ms: string) => [`It took ${ms} ms.`, `Das dauerte ${ms} ms.`],
  call: (tries: number) => [
    `Called (${tries} ${tries === 1 ? 'try' : 'tries'}).`,
    `Aufgerufen (${tries} ${tries === 1 ? 'Versuch' : 'Versuche'}).`,
  ],
  level: (from: number, to: number) => [
    `Its level went from ${from} to ${to}.`,
    `Ihre Stufe ging von ${from} auf ${to}.`,
  ],
  sent: (solution: string) => [
    `A notification was sent by ${solution}.`,
    `${solution} hat eine Benachrichtigung gesendet.`,
  ],
  script: (handler: string) => [`The script ${handler} ran.`, `Das Skript ${handler} lief.`],
  failed: (reason: string) => [
    `A call failed and waits: ${reason}`,
    `Ein Aufruf schlug fehl und wartet: ${reason}`,
  ],
})

type Step = Trace['steps'][number]

type Props = { readonly signal: string; readonly onClose: () => void }

/** A value of a signal, from the write of a device to all that it led to. */
export function TraceDialog({ signal, onClose }: Props) {
  const t = useTexts(texts)
  const [ts, setTs] = useState<number>()
  const trace = useLive(['trace', signal, ts], (client) => traceValue(client, { signal, ts }), {
    everyMs: traceEveryMs,
    keepsBefore: true,
  })
  const values = useRead('newest', readNewest, [signal, valuesMax], { everyMs: traceEveryMs })
  const choices = (values.data ?? []).map((one) => ({
    value: `${one.ts}`,
    label: `${moment(one.ts)}: ${shownValue(one.value, null)}`,
  }))
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.title}
      size="lg"
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <NativeSelect
        label={t.value}
        size="xs"
        mb="xs"
        value={ts ?? ''}
        data={[{ value: '', label: t.newest }, ...choices]}
        onChange={({ currentTarget: { value } }) => setTs(value === '' ? undefined : Number(value))}
      />
      {trace.error !== null && <Trouble error={trace.error} />}
      {trace.isPending && <Loader size="sm" />}
      {trace.data !== undefined && (
        <>
          <Text size="sm" className={styles.name}>
            {pointText(trace.data.value)}
          </Text>
          <ol className={styles.results} aria-label={t.title}>
            {trace.data.steps.map((step, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id, and an order
              <li key={at}>
                <StepText step={step} />
              </li>
            ))}
          </ol>
          {trace.data.notes.map((note) => (
            <Text key={note} size="sm" c="dimmed">
              {note}
            </Text>
          ))}
        </>
      )}
    </Modal>
  )
}

function pointText({ name, value, ts }: Trace['value']): string {
  return `${name}: ${shownValue(value ?? null, null)} (${moment(ts)})`
}

function StepText({ step }: { readonly step: Step }) {
  const t = useTexts(texts)
  switch (step.kind) {
    case 'write':
      return t.write(step.identity, moment(step.at))
    case 'function': {
      const took = step.duration_us === null ? '' : t.took(`${step.duration_us / usPerMs}`)
      const values = (points: typeof step.inputs) => points.map(pointText).join('; ')
      return `${step.name}: ${values(step.inputs)} → ${values(step.outputs)}. ${took}`
    }
    case 'call':
      return `${step.name}: ${t.call(step.tries)} ${t.took(`${step.duration_us / usPerMs}`)}`
    case 'status':
      return `${step.name}: ${t.level(step.previous, step.level)}`
    case 'notification':
      return `${step.name}: ${t.sent(step.solution)}`
    case 'script_call':
      return t.script(`${step.solution}/${step.handler}`)
    case 'failed_call':
      return `${step.name}: ${t.failed(step.reason)}`
  }
}
