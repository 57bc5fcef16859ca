import { NativeSelect } from '@mantine/core'
import { type Line, type LineType, listLines } from '../../../api/logs.ts'
import { listConfigurations } from '../../../api/solutions.ts'
import { useTimed } from '../../../ui/clock.ts'
import { useConnectors, useLive, useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { timeOfDay } from '../../../ui/words.ts'

const texts = defineTexts({
  label: ['Recorded event', 'Aufgezeichnetes Ereignis'],
  choose: ['choose one as the sample', 'eines als Beispiel wählen'],
  about: [
    'Of the log of the connector. Tags of the device are not recorded.',
    'Aus dem Protokoll des Konnektors. Tags des Geräts sind nicht aufgezeichnet.',
  ],
})

/** The type of the event that a line of the log is about, as scripts see it. */
const eventTypes: Partial<Record<LineType, string>> = {
  write: 'data_in',
  set: 'data_out',
  connect: 'connect',
  disconnect: 'disconnect',
  provision: 'provisioned',
  expire: 'expired',
  delete: 'deleted',
}
const types = Object.keys(eventTypes) as LineType[]
const eventsShown = 20

type Props = {
  readonly solution: string
  /** The name of the connector in scripts. */
  readonly service: string
  /** Called with the event as a handler gets it. */
  readonly onChoose: (event: unknown) => void
}

/** The newest events of a connector, one of which is taken as the sample; nothing without any. */
export function RecordedEvents({ solution, service, onChoose }: Props) {
  const t = useTexts(texts)
  const now = useTimed((nowUs) => nowUs)
  const connectors = useConnectors()
  const services = useRead('services', listConfigurations, [solution])
  const alias = services.data?.find((one) => one.script_key === service)
  const connector = connectors.data?.find(({ id }) => id === alias?.service)?.id
  const events = useLive(
    ['recorded', connector],
    (client, signal) => {
      const wanted = { identity: '', types, limit: eventsShown }
      return listLines(client, connector ?? '', wanted, signal)
    },
    { enabled: connector !== undefined },
  )
  const lines = events.data?.lines ?? []
  if (lines.length === 0) return null
  const choices = lines.map((line) => ({
    value: line.id,
    label: `${eventTypes[line.type]} ${line.identity ?? ''} ${timeOfDay(line.timestamp, now)}`,
  }))
  return (
    <NativeSelect
      label={t.label}
      description={t.about}
      size="xs"
      maw="28rem"
      mt="xs"
      // The chosen event is edited below: the list is only its source.
      value=""
      data={[{ value: '', label: t.choose }, ...choices]}
      onChange={({ currentTarget: { value } }) => {
        const line = lines.find(({ id }) => id === value)
        if (line !== undefined) onChoose(toEvent(line))
      }}
    />
  )
}

function toEvent({ type, identity, ip, timestamp, protocol, payload = [] }: Line) {
  const about = { type: eventTypes[type], identity, ip, timestamp }
  return { ...about, connection_id: '', protocol, tags: [], payload }
}
