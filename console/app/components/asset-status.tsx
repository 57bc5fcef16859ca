import type { Asset, StatusName } from '../api/assets.ts'
import { defineTexts, useTexts } from '../ui/texts.ts'
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

const texts = defineTexts({
  normal: ['normal', 'normal'],
  info: ['info', 'Info'],
  warning: ['warning', 'Warnung'],
  critical: ['critical', 'kritisch'],
  error: ['error', 'Fehler'],
  timeout: ['timeout', 'Zeit überschritten'],
  unjudged: ['No rule has set a status yet.', 'Noch keine Regel hat einen Status gesetzt.'],
  silent: [
    'A signal has had no value for longer than its timeout.',
    'Ein Signal hatte länger keinen Wert, als sein Timeout erlaubt.',
  ],
})

/** The names of levels. */
export const levelTexts = texts

/** A level with its colour and shape. */
export function Level({ level }: { readonly level: StatusName }) {
  const t = useTexts(texts)
  return <Badge {...looks[level]} text={t[level]} />
}

/** An asset's status, and whether one of its signals is silent: neither hides the other. */
export function AssetStatus({ status: { level, since, timeout } }: Pick<Asset, 'status'>) {
  const t = useTexts(texts)
  const isJudged = since !== null || level !== 'normal'
  return (
    <Line>
      {isJudged ? (
        <Level level={level} />
      ) : (
        <Badge icon={looks[level].icon} tone="quiet" title={t.unjudged} text={t[level]} />
      )}
      {timeout && <Badge tone="care" icon="clock" title={t.silent} text={t.timeout} />}
    </Line>
  )
}
