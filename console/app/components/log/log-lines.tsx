import { memo } from 'react'
import type { Line, LineType } from '../../api/logs.ts'
import { useTimed } from '../../ui/clock.ts'
import { lineKey } from '../../ui/log-feed.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { moment, timeOfDay } from '../../ui/words.ts'
import { Badge, type Tone } from '../badge.tsx'
import type { IconName } from '../icon.tsx'
import { Faint } from '../line.tsx'
import { LongText } from '../long-text.tsx'
import { LineTable } from './line-table.tsx'

const icons: Readonly<Record<LineType, IconName>> = {
  provision: 'link',
  write: 'up',
  set: 'down',
  delete: 'bin',
  expire: 'clock',
  read: 'search',
  connect: 'play',
  disconnect: 'pause',
  refusal: 'stop',
  content: 'tag',
  log: 'info',
}

const tones: Readonly<Record<Line['severity'], Tone>> = {
  info: 'quiet',
  warning: 'care',
  error: 'bad',
}

const texts = defineTexts({
  what: ['What', 'Was'],
  message: ['Message', 'Meldung'],
  none: ['none given', 'ohne Angabe'],
  times: (count: number) => [`${count} times`, `${count}-mal`],
})

/** Lines of a connector's log. */
export function LogLines({ lines }: { readonly lines: readonly Line[] }) {
  const t = useTexts(texts)
  return (
    <LineTable heads={[t.when, t.what, t.device, t.message, t.from]} message={t.message}>
      {lines.map((line) => (
        <Row key={lineKey(line)} line={line} />
      ))}
    </LineTable>
  )
}

const Row = memo(({ line }: { readonly line: Line }) => {
  const t = useTexts(texts)
  const { timestamp, type, severity, identity, ip, protocol, code, message, count } = line
  const tone = type === 'provision' ? 'good' : tones[severity]
  return (
    <tr>
      <td>
        <When at={timestamp} />
      </td>
      <td>
        <Badge tone={tone} icon={icons[type] ?? 'info'} text={type} />
      </td>
      <td>{identity ?? <Faint inline>{t.none}</Faint>}</td>
      <td>
        <LongText text={message} />
        {(code !== null || count > 1) && (
          <Faint>
            {code !== null && <span>{code}</span>}
            {count > 1 && <span>{t.times(count)}</span>}
          </Faint>
        )}
      </td>
      <td>
        {ip} <Faint inline>{protocol}</Faint>
      </td>
    </tr>
  )
})

/** A moment of a line; the whole of it on hovering. */
export function When({ at }: { readonly at: number }) {
  const text = useTimed((nowUs) => timeOfDay(at, nowUs))
  return (
    <time dateTime={new Date(at / 1_000).toISOString()} title={moment(at)}>
      {text}
    </time>
  )
}
