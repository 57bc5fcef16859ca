import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useTimed } from '../ui/clock.ts'
import { ago } from '../ui/words.ts'
import { Badge } from './badge.tsx'

/** A read that is older than this is not called live, whatever the reason. */
const liveMsMax = 10_000

type Reading = { readonly tone: 'good' | 'care' | 'bad' | 'quiet'; readonly text: string }

/** When the oldest thing on the page was read, and whether reading goes on. */
export function LiveState() {
  const queries = useQueryClient()
  // One text, so that the clock compares it; both halves come back out of it.
  const reading = useTimed(() => JSON.stringify(readingOf(queries)))
  const { tone, text } = JSON.parse(reading) as Reading
  return (
    <Badge
      tone={tone}
      icon={tone === 'good' ? 'check' : tone === 'quiet' ? 'clock' : 'warning'}
      title="When the oldest of what is shown was read from the server"
    >
      {text}
    </Badge>
  )
}

function readingOf(queries: QueryClient): Reading {
  const states = queries
    .getQueryCache()
    .findAll({ type: 'active' })
    .map(({ state }) => state)
  const readAt = states.filter(({ data }) => data !== undefined).map((one) => one.dataUpdatedAt)
  const failed = states.some(({ error }) => error !== null)
  const isOut = states.every(({ error }) => error !== null)
  if (readAt.length === 0) {
    return failed
      ? { tone: 'bad', text: 'Nothing can be read' }
      : { tone: 'quiet', text: 'Reading' }
  }
  const oldest = Math.min(...readAt)
  const read = `read ${ago(oldest * 1_000, Date.now() * 1_000)}`
  if (isOut || Date.now() - oldest > liveMsMax) {
    return { tone: 'bad', text: `Not current: ${read}` }
  }
  return failed
    ? { tone: 'care', text: `Live in part: ${read}` }
    : { tone: 'good', text: `Live: ${read}` }
}
