import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import { useTimed } from '../ui/clock.ts'
import { currentLanguage, defineTexts, useTexts } from '../ui/texts.ts'
import { UpdatesContext } from '../ui/updates/topics.ts'
import { ago } from '../ui/words.ts'
import { Badge } from './badge.tsx'

const texts = defineTexts({
  title: [
    'When the oldest of what is shown was read from the server',
    'Wann das Älteste von dem, was zu sehen ist, vom Server gelesen wurde',
  ],
  pushed: [
    'The server sends what changes, and it is read then',
    'Der Server meldet, was sich ändert, und es wird dann gelesen',
  ],
  nothing: ['Nothing can be read', 'Nichts ist lesbar'],
  reading: ['Reading', 'Wird gelesen'],
  read: (age: string) => [`read ${age}`, `gelesen ${age}`],
  old: (read: string) => [`Not current: ${read}`, `Nicht aktuell: ${read}`],
  part: (read: string) => [`Live in part: ${read}`, `Teils aktuell: ${read}`],
  live: (read: string) => [`Live: ${read}`, `Aktuell: ${read}`],
})

/** A read that is older than this is not called live, whatever the reason. */
const liveMsMax = 10_000

type Reading = { readonly tone: 'good' | 'care' | 'bad' | 'quiet'; readonly text: string }

/** When the oldest thing on the page was read, and whether reading goes on. */
export function LiveState() {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const isPushed = useContext(UpdatesContext).length > 0
  // A text, so that the clock compares it; both halves come back out of it.
  const reading = useTimed(() => JSON.stringify(summarizeQueries(queries)))
  const { tone, text } = JSON.parse(reading) as Reading
  return (
    <Badge
      tone={tone}
      icon={tone === 'good' ? 'check' : tone === 'quiet' ? 'clock' : 'warning'}
      title={isPushed ? t.pushed : t.title}
      text={text}
    />
  )
}

/**
 * Queries that are read seldom, such as the role, do not count: they are not live by themselves.
 */
function summarizeQueries(queries: QueryClient): Reading {
  const t = texts[currentLanguage()]
  const states = queries
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter(({ meta }) => typeof meta?.everyMs === 'number' && meta.everyMs < liveMsMax)
    .map(({ state, meta }) => ({ ...state, isPushed: meta?.isPushed === true }))
  // Data whose changes the server sends are as they were read, however long ago that is.
  const readAt = states
    .filter(({ data }) => data !== undefined)
    .map((one) => (one.isPushed ? Date.now() : one.dataUpdatedAt))
  const failed = states.some(({ error }) => error !== null)
  const isOut = states.every(({ error }) => error !== null)
  if (readAt.length === 0) {
    return failed ? { tone: 'bad', text: t.nothing } : { tone: 'quiet', text: t.reading }
  }
  const oldest = Math.min(...readAt)
  const read = t.read(ago(oldest * 1_000, Date.now() * 1_000))
  if (isOut || Date.now() - oldest > liveMsMax) return { tone: 'bad', text: t.old(read) }
  return failed ? { tone: 'care', text: t.part(read) } : { tone: 'good', text: t.live(read) }
}
