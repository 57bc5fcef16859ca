import type { Asset, StatusName } from '../api/assets.ts'
import { Badge, type Tone } from './badge.tsx'
import type { IconName } from './icon.tsx'
import { Line } from './line.tsx'

const looks: Readonly<Record<StatusName, { readonly icon: IconName; readonly tone: Tone }>> = {
  normal: { icon: 'check', tone: 'good' },
  info: { icon: 'info', tone: 'note' },
  warning: { icon: 'warning', tone: 'care' },
  critical: { icon: 'stop', tone: 'bad' },
  error: { icon: 'cross', tone: 'broken' },
}

const unjudged = 'No rule has set a status yet.'
const silent = 'A signal has had no value for longer than its timeout.'

/** An asset's status, and whether one of its signals is silent: neither hides the other. */
export function AssetStatus({ status: { level, since, timeout } }: Pick<Asset, 'status'>) {
  const { icon, tone } = looks[level]
  const isJudged = since !== null || level !== 'normal'
  return (
    <Line>
      <Badge icon={icon} {...(isJudged ? { tone } : { tone: 'quiet', title: unjudged })}>
        {level}
      </Badge>
      {timeout && (
        <Badge tone="care" icon="clock" title={silent}>
          timeout
        </Badge>
      )}
    </Line>
  )
}
