import type { Feed } from '../../ui/log-feed.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Badge } from '../badge.tsx'

const texts = defineTexts(
  {
    connecting: 'connecting',
    live: 'live',
    reconnecting: 'reconnecting',
    stopped: 'stopped',
    connectingMeans: 'The log is being opened.',
    liveMeans: 'Each new line is shown as it comes.',
    reconnectingMeans: 'The connection broke. What is missed meanwhile is shown when it is back.',
    stoppedMeans: 'No new lines come.',
  },
  {
    de: {
      connecting: 'verbindet',
      live: 'aktuell',
      reconnecting: 'verbindet wieder',
      stopped: 'beendet',
      connectingMeans: 'Das Protokoll wird geöffnet.',
      liveMeans: 'Jede neue Zeile erscheint sofort.',
      reconnectingMeans: 'Die Verbindung brach ab. Was inzwischen fehlt, erscheint danach.',
      stoppedMeans: 'Es kommen keine neuen Zeilen.',
    },
  },
)

const looks = {
  connecting: { tone: 'quiet', icon: 'clock' },
  live: { tone: 'good', icon: 'check' },
  reconnecting: { tone: 'care', icon: 'again' },
  stopped: { tone: 'bad', icon: 'stop' },
} as const

/** Whether new lines come. Screen readers announce its changes. */
export function FeedState({ state }: Pick<Feed, 'state'>) {
  const t = useTexts(texts)
  const { tone, icon } = looks[state]
  return (
    <span role="status">
      <Badge tone={tone} icon={icon} title={t[`${state}Means`]}>
        {t[state]}
      </Badge>
    </span>
  )
}
