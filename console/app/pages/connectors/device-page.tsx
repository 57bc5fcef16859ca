import { getRouteApi } from '@tanstack/react-router'
import { PageHead } from '../../components/page-head.tsx'
import { useConnectors } from '../../ui/live.ts'
import { DevicePane } from './device-pane.tsx'

const route = getRouteApi('/connectors/$connector/devices/$identity')

/** One device of a connector. */
export function DevicePage() {
  const { connector: id, identity } = route.useParams()
  const connectors = useConnectors()
  const connector = connectors.data?.find((one) => one.id === id)
  return (
    <>
      <PageHead title={identity} />
      {connector !== undefined && <DevicePane connector={connector} identity={identity} />}
    </>
  )
}
