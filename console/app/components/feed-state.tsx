import type { Feed } from '../ui/log-feed.ts'
import { Badge, type Tone } from './badge.tsx'
import type { IconName } from './icon.tsx'

type Look = { readonly tone: Tone; readonly icon: IconName; readonly meaning: string }

const looks: Readonly<Record<Feed['state'], Look>> = {
  connecting: { tone: 'quiet', icon: 'clock', meaning: 'The log is being opened.' },
  live: { tone: 'good', icon: 'check', meaning: 'Each new line is shown as it comes.' },
  reconnecting: {
    tone: 'care',
    icon: 'again',
    meaning: 'The connection broke. What is missed meanwhile is shown when it is back.',
  },
  stopped: { tone: 'bad', icon: 'stop', meaning: 'No new lines come.' },
}

/** Whether new lines come. Screen readers announce its changes. */
export function FeedState({ state }: Pick<Feed, 'state'>) {
  const { tone, icon, meaning } = looks[state]
  return (
    <span role="status">
      <Badge tone={tone} icon={icon} title={meaning}>
        {state}
      </Badge>
    </span>
  )
}
