import { getRouteApi } from '@tanstack/react-router'
import type { Connector } from '../../../api/connectors.ts'
import { type Device, readDevice } from '../../../api/devices.ts'
import { Age } from '../../../components/age.tsx'
import { DeviceStatus } from '../../../components/device-status.tsx'
import { Faint } from '../../../components/line.tsx'
import { PageHead } from '../../../components/page-head.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { Views } from '../../../components/views.tsx'
import { isOutage } from '../../../ui/errors.ts'
import { chosenEveryMs, useConnectors, useRead } from '../../../ui/live-queries.ts'
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
  timeline: ['Timeline', 'Zeitleiste'],
  content: ['Content', 'Inhalte'],
  credentials: ['Credentials', 'Zugangsdaten'],
  tags: ['Tags', 'Tags'],
  online: ['online', 'online'],
  offline: ['offline', 'offline'],
  seen: ['seen', 'gesehen'],
})

type ViewProps = { readonly connector: Connector; readonly device: Device }

/** The events of the device itself, without what it wrote and read. */
const lifecycle = [
  'provision',
  'connect',
  'disconnect',
  'expire',
  'delete',
  'refusal',
  'content',
] as const

const views = {
  values: DeviceValues,
  history: HistoryView,
  log: ({ connector, device }: ViewProps) => <LogView connector={connector} of={device.identity} />,
  timeline: ({ connector, device }: ViewProps) => (
    <LogView connector={connector} of={device.identity} only={lifecycle} />
  ),
  content: ContentsView,
  credentials: Credentials,
  tags: TagsView,
} as const

const route = getRouteApi('/connectors/$connector/devices/$identity/{-$view}')

/** A device of a connector; each of its tabs is an address. */
export function DevicePage() {
  const t = useTexts(texts)
  const { connector: id, identity } = route.useParams()
  const connectors = useConnectors()
  const connector = connectors.data?.find((one) => one.id === id)
  const device = useRead('device', readDevice, [id, identity], { everyMs: chosenEveryMs })
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
          <Views titles={t} views={views} of={{ connector, device: data }} />
        </>
      )}
    </>
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
