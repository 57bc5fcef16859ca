import { Code } from '@mantine/core'
import { memo } from 'react'
import type { Arrival } from '../api/notifications.ts'
import { masked, shownPayload } from '../ui/mask.ts'
import { defineTexts, useLanguage, useTexts } from '../ui/texts.ts'
import { Age } from './age.tsx'
import styles from './arrival-list.module.css'
import { Badge } from './badge.tsx'
import { Faint, Line } from './line.tsx'

const texts = defineTexts({
  newest: ['Messages, newest first', 'Nachrichten, neueste zuerst'],
  hidden: ['The address, without its middle.', 'Die Adresse ohne ihre Mitte.'],
  size: (size: string, max: string, unit: string) => [
    `${size} of ${max} ${unit}`,
    `${size} von ${max} ${unit}`,
  ],
})

/** Messages in the local sink, newest first. No live region: screen readers could not keep up. */
export function ArrivalList({ arrivals }: { readonly arrivals: readonly Arrival[] }) {
  const t = useTexts(texts)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
    <section className={styles.scroll} aria-label={t.newest} tabIndex={0}>
      <ul className={styles.list}>
        {arrivals.map((one) => (
          <Message key={`${one.notification_sid} ${one.binding_sid}`} arrival={one} />
        ))}
      </ul>
    </section>
  )
}

const Message = memo(({ arrival }: { readonly arrival: Arrival }) => {
  const t = useTexts(texts)
  const { channel, address, at, headers, body, notification_sid: sid } = arrival
  return (
    <li className={styles.message}>
      <Line ends>
        <Line>
          <Badge tone="note" icon="up" text={channel} />
          <span title={t.hidden}>{masked(address)}</span>
        </Line>
        <Faint>
          <Size arrival={arrival} />
          <Age at={at} />
        </Faint>
      </Line>
      <Code block className={styles.payload}>
        {shownPayload(body, address)}
      </Code>
      <Faint>
        {Object.entries(headers).map(([name, value]) => (
          <span key={name}>
            {name}: {value}
          </span>
        ))}
        <span>{sid}</span>
      </Faint>
    </li>
  )
})

function Size({ arrival: { size, max, unit } }: { readonly arrival: Arrival }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const said = t.size(size.toLocaleString(language), max.toLocaleString(language), unit)
  if (size <= max) return <span>{said}</span>
  return <Badge tone="bad" icon="warning" text={said} />
}
