import { SimpleGrid } from '@mantine/core'
import { type AssetHistory, readAssetHistory } from '../../api/assets.ts'
import { parseMicros } from '../../api/graphql.ts'
import type { AssetDetail } from '../../api/signals.ts'
import { Age } from '../../components/age.tsx'
import { Level } from '../../components/asset-status.tsx'
import { Badge } from '../../components/badge.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { NoValues, useMaySeeValues } from '../../components/no-values.tsx'
import { Pane } from '../../components/pane.tsx'
import { useRead } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './assets.module.css'

const texts = defineTexts({
  events: ['Events', 'Ereignisse'],
  noEvents: [
    'The status of this asset has not changed yet.',
    'Der Status dieser Anlage hat sich noch nicht geändert.',
  ],
  noLog: ['Nothing was logged about this asset.', 'Zu dieser Anlage wurde nichts protokolliert.'],
  silent: ['silence of a signal', 'Schweigen eines Signals'],
  info: ['info', 'Info'],
  warning: ['warning', 'Warnung'],
  error: ['error', 'Fehler'],
})

const shownMax = 100
const tones = { info: 'quiet', warning: 'care', error: 'bad' } as const

/** The newest changes of an asset's status, and the newest lines of its log. */
export function HistoryView({ asset }: { readonly asset: AssetDetail }) {
  return useMaySeeValues() ? <History asset={asset} /> : <NoValues />
}

function History({ asset }: { readonly asset: AssetDetail }) {
  const t = useTexts(texts)
  const history = useRead('asset-history', readAssetHistory, [{ id: asset.id, limit: shownMax }])
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
      <Pane title={t.events} query={history}>
        {(found) => <Events history={found} />}
      </Pane>
      <Pane title={t.log} query={history}>
        {(found) => <Lines history={found} />}
      </Pane>
    </SimpleGrid>
  )
}

type Props = { readonly history: AssetHistory | null }

function Events({ history }: Props) {
  const t = useTexts(texts)
  const events = history?.events ?? []
  if (events.length === 0) return <NextStep>{t.noEvents}</NextStep>
  const names = new Map(
    [...(history?.signals ?? []), ...(history?.rules ?? [])].map(({ id, name }) => [id, name]),
  )
  const personName = (id: string | null) => (id === null ? undefined : names.get(id))
  return (
    <ul className={styles.log}>
      {events.map(({ id, ruleId, signalId, ts, level, previous, type }) => (
        <li key={id}>
          <Line>
            <Level level={previous} />
            <span aria-hidden="true">→</span>
            <Level level={level} />
            {type !== null && <span>{type}</span>}
          </Line>
          <Faint>
            <span>{personName(ruleId) ?? t.silent}</span>
            <span>{personName(signalId)}</span>
            <Age at={parseMicros(ts)} />
          </Faint>
        </li>
      ))}
    </ul>
  )
}

function Lines({ history }: Props) {
  const t = useTexts(texts)
  const lines = history?.log ?? []
  if (lines.length === 0) return <NextStep>{t.noLog}</NextStep>
  return (
    <ul className={styles.log}>
      {lines.map(({ at, severity, text }) => (
        <li key={`${at} ${text}`}>
          <Line>
            <Badge tone={tones[severity]} text={t[severity]} />
            <Faint inline>
              <Age at={parseMicros(at)} />
            </Faint>
          </Line>
          {text}
        </li>
      ))}
    </ul>
  )
}
