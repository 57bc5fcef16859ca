import { getRouteApi } from '@tanstack/react-router'
import { Absent } from '../../components/missing-value.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Views } from '../../components/views.tsx'
import { useConnectors } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { CertificatesView } from './certificates-view.tsx'
import { ContentView } from './content-view.tsx'
import { DeviceList } from './devices/device-list.tsx'
import { LogView } from './log-view.tsx'
import { ResourcesView } from './settings/resources-view.tsx'
import { SettingsView } from './settings/settings-view.tsx'

const texts = defineTexts({
  views: ['Of the connector', 'Zum Konnektor'],
  resources: ['Resources', 'Ressourcen'],
  certificates: ['Certificates', 'Zertifikate'],
  content: ['Content', 'Inhalte'],
  gone: ['There is no such connector.', 'Diesen Konnektor gibt es nicht.'],
})

const views = {
  devices: DeviceList,
  log: LogView,
  resources: ResourcesView,
  content: ContentView,
  certificates: CertificatesView,
  settings: SettingsView,
} as const

const route = getRouteApi('/connectors/$connector/{-$view}')

/** A connector: its devices, its log, its resources and its settings. */
export function ConnectorPage() {
  const t = useTexts(texts)
  const { connector: id } = route.useParams()
  const connectors = useConnectors()
  const connector = connectors.data?.find((one) => one.id === id)
  if (connector === undefined) return <Absent title={id} query={connectors} gone={t.gone} />
  return (
    <>
      <PageHead title={connector.name} />
      <Views titles={t} views={views} of={{ connector }} />
    </>
  )
}
