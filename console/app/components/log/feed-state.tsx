import type { Feed } from '../../ui/log-feed.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Badge } from '../badge.tsx'

const texts = defineTexts({
  connecting: ['connecting', 'verbindet'],
  live: ['live', 'aktuell'],
  reconnecting: ['reconnecting', 'verbindet wieder'],
  stopped: ['stopped', 'beendet'],
  connectingMeans: ['The log is being opened.', 'Das Protokoll wird geöffnet.'],
  liveMeans: ['Each new line is shown as it comes.', 'Jede neue Zeile erscheint sofort.'],
  reconnectingMeans: [
    'The connection broke. What is missed meanwhile is shown when it is back.',
    'Die Verbindung brach ab. Was inzwischen fehlt, erscheint danach.',
  ],
  stoppedMeans: ['No new lines come.', 'Es kommen keine neuen Zeilen.'],
})

const looks = {
  connecting: { tone: 'quiet', icon: 'clock' },
  live: { tone: 'good', icon: 'check' },
  reconnecting: { tone: 'care', icon: 'again' },
  stopped: { tone: 'bad', icon: 'stop' },
} as const

/** Shows whether new lines come. Screen readers announce its changes. */
export function FeedState({ state }: Pick<Feed, 'state'>) {
  const t = useTexts(texts)
  const { tone, icon } = looks[state]
  return (
    <span role="status">
      <Badge tone={tone} icon={icon} title={t[`${state}Means`]} text={t[state]} />
    </span>
  )
}
