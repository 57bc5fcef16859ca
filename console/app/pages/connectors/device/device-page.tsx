import { Tabs } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Connector } from '../../../api/connectors.ts'
import { type Device, readDevice } from '../../../api/devices.ts'
import { Age } from '../../../components/age.tsx'
import { DeviceStatus } from '../../../components/device-status.tsx'
import { Faint } from '../../../components/line.tsx'
import { PageHead } from '../../../components/page-head.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { isOutage } from '../../../ui/errors.ts'
import { chosenEveryMs, useConnectors, useLive } from '../../../ui/live.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { LogView } from '../log-view.tsx'
import { ContentsView } from './contents-view.tsx'
import { Credentials } from './credentials.tsx'
import { DeviceActions } from './device-actions.tsx'
import { DeviceValues } from './device-values.tsx'
import { HistoryView } from './history-view.tsx'
import { TagsView } from './tags-view.tsx'

const texts = defineTexts({
  views: ['Of the device', 'Zum Gerät'],
  values: ['Resources', 'Ressourcen'],
  history: ['History', 'Verlauf'],
  log: ['Log', 'Protokoll'],
  timeline: ['Timeline', 'Zeitleiste'],
  content: ['Content', 'Inhalte'],
  credentials: ['Credentials', 'Zugangsdaten'],
  tags: ['Tags', 'Tags'],
  online: ['online', 'online'],
  offline: ['offline', 'offline'],
  seen: ['seen', 'gesehen'],
  never: ['never', 'nie'],
})

type ViewProps = { readonly connector: Connector; readonly device: Device }

/** What happened to the device itself, without what it wrote and read. */
const lifecycle = [
  'provision',
  'connect',
  'disconnect',
  'expire',
  'delete',
  'refusal',
  'content',
] as const

const views: readonly {
  readonly view: 'values' | 'history' | 'log' | 'timeline' | 'content' | 'credentials' | 'tags'
  readonly View: ComponentType<ViewProps>
}[] = [
  { view: 'values', View: DeviceValues },
  { view: 'history', View: HistoryView },
  {
    view: 'log',
    View: ({ connector, device }) => <LogView connector={connector} of={device.identity} />,
  },
  {
    view: 'timeline',
    View: ({ connector, device }) => (
      <LogView connector={connector} of={device.identity} only={lifecycle} />
    ),
  },
  { view: 'content', View: ContentsView },
  { view: 'credentials', View: Credentials },
  { view: 'tags', View: TagsView },
]

const route = getRouteApi('/connectors/$connector/devices/$identity/{-$view}')

/** One device of a connector; each of its tabs is an address. */
export function DevicePage() {
  const { connector: id, identity } = route.useParams()
  const connectors = useConnectors()
  const connector = connectors.data?.find((one) => one.id === id)
  const device = useLive({
    key: ['device', id, identity],
    read: (client, signal) => readDevice(client, id, identity, signal),
    everyMs: chosenEveryMs,
  })
  const { data, error } = device
  return (
    <>
      <PageHead title={identity}>
        {data !== undefined && <DeviceStatus status={data.status} />}
      </PageHead>
      {error !== null && !isOutage(error) && <Trouble error={error} isShown={data !== undefined} />}
      {connector !== undefined && data !== undefined && (
        <>
          <Facts device={data} />
          <DeviceActions key={data.identity} connector={connector} device={data} />
          <Views connector={connector} device={data} />
        </>
      )}
    </>
  )
}

function Views({ connector, device }: ViewProps) {
  const t = useTexts(texts)
  const { view } = route.useParams()
  const navigate = useNavigate()
  const chosen = views.find((one) => one.view === view) ?? views[0]
  const open = (next: string | null) =>
    navigate({
      to: '/connectors/$connector/devices/$identity/{-$view}',
      params: { connector: connector.id, identity: device.identity, view: next ?? undefined },
    })
  return (
    <Tabs value={chosen?.view ?? 'values'} onChange={open} keepMounted={false}>
      <Tabs.List aria-label={t.views} mb="sm">
        {views.map((one) => (
          <Tabs.Tab key={one.view} value={one.view}>
            {t[one.view]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {views.map(({ view: name, View }) => (
        <Tabs.Panel key={name} value={name}>
          <View connector={connector} device={device} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function Facts({ device: { online, lastseen, lastip } }: { readonly device: Device }) {
  const t = useTexts(texts)
  return (
    <Faint>
      <span>{online ? t.online : t.offline}</span>
      <span>
        {t.seen} <Age at={lastseen} never={t.never} />
      </span>
      {lastip !== null && <span>{lastip}</span>}
    </Faint>
  )
}
