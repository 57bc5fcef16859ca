import { Anchor, Button, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { parseMicros } from '../../api/graphql.ts'
import { type Overview, readOverview } from '../../api/overview.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { Icon } from '../../components/icon.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pane } from '../../components/pane.tsx'
import { ShortTable } from '../../components/table/short-table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { isOutage } from '../../ui/errors.ts'
import { useLive } from '../../ui/live-queries.ts'
import { useMay, useSignedIn } from '../../ui/session.tsx'
import { useLanguage, useTexts } from '../../ui/texts.ts'
import styles from './overview.module.css'
import { texts } from './texts.ts'

/** The state of things now: messages, devices, assets, alarms and failures. */
export function OverviewPage() {
  const t = useTexts(texts)
  const { caller } = useSignedIn()
  const mayConnect = useMay('Setup')
  // Without Setup it is about assets alone.
  const overview = useLive(mayConnect ? ['overview'] : ['assets', 'overview'], (client, signal) =>
    readOverview(client, caller.permissions, signal),
  )
  const { data, error } = overview
  return (
    <>
      <PageHead title={t.title}>
        {mayConnect && (
          <Button component={Link} to="/connect" size="xs" leftSection={<Icon name="plus" />}>
            {t.connect}
          </Button>
        )}
      </PageHead>
      {error !== null && !isOutage(error) && <Trouble error={error} isShown={data !== undefined} />}
      {data !== undefined && <Tiles overview={data} />}
      <SimpleGrid cols={{ base: 1, md: 2 }} mt="md">
        {data?.graph.conditionQuery !== undefined && (
          <Pane title={t.conditions} query={overview}>
            {(found) => <Conditions overview={found} />}
          </Pane>
        )}
        {data?.failures !== undefined && (
          <Pane title={t.failures} query={overview}>
            {(found) => <Failures overview={found} />}
          </Pane>
        )}
      </SimpleGrid>
    </>
  )
}

function Tiles({ overview: { usage, failures, graph } }: { readonly overview: Overview }) {
  const t = useTexts(texts)
  const conditions = graph.conditionQuery?.total
  const failed = failures?.count
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
      {usage && <Tile name={t.messages} value={usage.messages.used} digits={1} />}
      {usage && <Tile name={t.devices} value={usage.devices.used} path="/connectors" />}
      {graph.assetCount !== undefined && (
        <Tile name={t.assets} value={graph.assetCount} path="/assets" />
      )}
      {conditions !== undefined && (
        <Tile name={t.conditions} value={conditions} tone={conditions > 0 ? 'care' : 'good'} />
      )}
      {failed !== undefined && (
        <Tile
          name={t.failures}
          value={failed}
          isMore={failures?.isMore === true}
          tone={failed > 0 ? 'bad' : 'good'}
          path="/failures"
        />
      )}
    </SimpleGrid>
  )
}

type TileProps = {
  readonly name: string
  readonly value: number
  readonly digits?: number
  readonly isMore?: boolean
  readonly tone?: 'good' | 'care' | 'bad'
  readonly path?: string
}

function Tile({ name, value, digits = 0, isMore = false, tone, path }: TileProps) {
  const language = useLanguage()
  const shown = value.toLocaleString(language, { maximumFractionDigits: digits })
  return (
    <div className={styles.tile} data-tone={tone}>
      <Faint>{path === undefined ? name : <Link to={path}>{name}</Link>}</Faint>
      <span className={styles.value}>{isMore ? `${shown}+` : shown}</span>
    </div>
  )
}

const tones = {
  normal: 'good',
  info: 'note',
  warning: 'care',
  critical: 'bad',
  error: 'broken',
} as const

function Conditions({ overview }: { readonly overview: Overview }) {
  const t = useTexts(texts)
  const found = overview.graph.conditionQuery?.results ?? []
  if (found.length === 0) return <NextStep>{t.noConditions}</NextStep>
  return (
    <ShortTable heads={[t.asset, t.level, t.since]} narrow="stacked">
      {found.map(({ id, asset, assetId, level, openedAt }) => (
        <tr key={id}>
          <td>
            <Named to={`/assets/${assetId}`}>{asset?.name ?? assetId}</Named>
          </td>
          <td data-label={t.level}>
            <Badge
              tone={tones[level.toLowerCase() as keyof typeof tones] ?? 'note'}
              text={level.toLowerCase()}
            />
          </td>
          <td>
            <Age at={parseMicros(openedAt)} />
          </td>
        </tr>
      ))}
    </ShortTable>
  )
}

function Failures({ overview }: { readonly overview: Overview }) {
  const t = useTexts(texts)
  const found = overview.failures?.newest ?? []
  if (found.length === 0) return <NextStep>{t.noFailures}</NextStep>
  return (
    <ShortTable heads={[t.stage, t.reason, t.since]} narrow="stacked">
      {found.map(({ id, stage, reason, failed_at }) => (
        <tr key={`${stage}:${id}`}>
          <td>{stage}</td>
          <td data-label={t.reason}>
            <Text size="sm" lineClamp={2}>
              {reason}
            </Text>
          </td>
          <td>
            <Age at={failed_at} />
          </td>
        </tr>
      ))}
    </ShortTable>
  )
}

function Named({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} className={styles.name}>
      {children}
    </Anchor>
  )
}
