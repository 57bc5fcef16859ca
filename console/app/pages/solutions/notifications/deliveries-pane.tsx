import { Text } from '@mantine/core'
import { useState } from 'react'
import { type Delivery, getNotification, type Notification } from '../../../api/notifications.ts'
import { Badge } from '../../../components/badge.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Pager } from '../../../components/pager.tsx'
import { Pane } from '../../../components/pane.tsx'
import { useTimed } from '../../../ui/clock.ts'
import { chosenEveryMs, useRead } from '../../../ui/live-queries.ts'
import { masked } from '../../../ui/mask.ts'
import { useTexts } from '../../../ui/texts.ts'
import { timeOfDay } from '../../../ui/words.ts'
import styles from '../solutions.module.css'
import { sendTexts } from './texts.ts'

/** The looks of the states of deliveries. */
export const stateLooks = {
  queued: { tone: 'quiet', icon: 'clock' },
  sending: { tone: 'note', icon: 'up' },
  sent: { tone: 'good', icon: 'check' },
  failed: { tone: 'bad', icon: 'stop' },
  pruned: { tone: 'care', icon: 'warning' },
} as const

const deliveriesShown = 50

type Props = { readonly solution: string; readonly sid: string }

/** A send: whom it is for, and the timeline of each delivery, page by page. */
export function DeliveriesPane({ solution, sid }: Props) {
  const t = useTexts(sendTexts)
  const [before, setBefore] = useState<readonly (number | undefined)[]>([])
  const cursor = before.at(-1)
  const send = useRead(
    'send',
    getNotification,
    [solution, sid, { cursor, limit: deliveriesShown }],
    { everyMs: chosenEveryMs, keepsBefore: true },
  )
  const next = send.data?.cursor
  return (
    <Pane title={send.data?.title || sid} query={send}>
      {(found) => (
        <>
          {found.body !== '' && (
            <Text size="sm" className={styles.name}>
              {found.body}
            </Text>
          )}
          <Audience send={found} />
          {!found.expanded && <Faint>{t.counting}</Faint>}
          {found.expanded && found.deliveries.length === 0 && <NextStep>{t.noDeliveries}</NextStep>}
          {found.deliveries.map((one) => (
            <Timeline key={one.binding_sid} delivery={one} />
          ))}
          <Pager
            onBefore={before.length === 0 ? undefined : () => setBefore(before.slice(0, -1))}
            onAfter={next === undefined ? undefined : () => setBefore([...before, next])}
          />
        </>
      )}
    </Pane>
  )
}

type AudienceProps = { readonly send: Pick<Notification, 'identities' | 'tags'> }

const namesShown = 20

function Audience({ send: { identities, tags } }: AudienceProps) {
  const t = useTexts(sendTexts)
  const all = [...identities, ...tags.map((tag) => (tag === 'all' ? t.everyone : t.tag(tag)))]
  const more = all.length > namesShown ? ', …' : ''
  return (
    <Faint>
      <span className={styles.name}>
        {t.to}: {all.slice(0, namesShown).join(', ')}
        {more}
      </span>
    </Faint>
  )
}

function Timeline({ delivery }: { readonly delivery: Delivery }) {
  const t = useTexts(sendTexts)
  const { channel, address, state, tries, provider, reason, timeline } = delivery
  const now = useTimed((nowUs) => nowUs)
  const title = `${channel} ${masked(address)}`
  return (
    <section aria-label={title} className={styles.result}>
      <Line ends>
        <Line>
          <Badge {...stateLooks[state]} text={t[state]} />
          <span>{title}</span>
        </Line>
        <Faint inline>{[provider, t.tries(tries)].filter((one) => one !== null).join(', ')}</Faint>
      </Line>
      {reason !== null && (
        <Text size="sm" className={styles.name}>
          {reason}
        </Text>
      )}
      <ol className={styles.problems}>
        {timeline.map(({ at, event, text = '' }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a timeline only grows
          <li key={index}>
            <Faint>
              <time dateTime={new Date(at / 1_000).toISOString()}>{timeOfDay(at, now)}</time>
              <span className={styles.name}>
                {t[event]}
                {text !== '' && `: ${text.replaceAll(address, masked(address))}`}
              </span>
            </Faint>
          </li>
        ))}
      </ol>
    </section>
  )
}
