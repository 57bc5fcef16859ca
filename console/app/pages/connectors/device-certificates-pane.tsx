import type { Connector } from '../../api/connectors.ts'
import { listDeviceCertificates } from '../../api/provisioning/certificates.ts'
import { Badge } from '../../components/badge.tsx'
import { PageLink } from '../../components/controls/page-link.tsx'
import { Faint } from '../../components/line.tsx'
import { Pane } from '../../components/pane.tsx'
import { List } from '../../components/table/list.tsx'
import { useTimed } from '../../ui/clock.ts'
import { useRead } from '../../ui/live-queries.ts'
import { useTexts } from '../../ui/texts.ts'
import { moment } from '../../ui/words.ts'
import { certificateTexts } from './certificate-texts.ts'

const certificatesShown = 20
const dayUs = 86_400_000_000
const soonDays = 30

type Props = { readonly connector: Connector }

/** The certificates of devices, the next to end first. */
export function DeviceCertificatesPane({ connector }: Props) {
  const t = useTexts(certificateTexts)
  const page = useRead('device-certificates', listDeviceCertificates, [
    connector.id,
    { limit: certificatesShown },
  ])
  return (
    <Pane title={t.ofDevices} query={page}>
      {({ certificates, mayLoadMore }) => (
        <>
          <List
            items={certificates}
            itemKey={({ identity }) => identity}
            none={t.noneOfDevices}
            namesLast
            columns={[
              [
                t.identity,
                ({ identity }) => (
                  <PageLink
                    to="/connectors/$connector/devices/$identity/{-$view}"
                    params={{ connector: connector.id, identity, view: 'credentials' }}
                    text={identity}
                  />
                ),
              ],
              [t.left, ({ until }) => <TimeLeft until={until} />],
              [t.ends, ({ until }) => moment(until)],
            ]}
          />
          {mayLoadMore && <Faint>{t.first(certificatesShown)}</Faint>}
        </>
      )}
    </Pane>
  )
}

function TimeLeft({ until }: { readonly until: number }) {
  const t = useTexts(certificateTexts)
  const days = useTimed((nowUs) => Math.floor((until - nowUs) / dayUs))
  if (days < 0) {
    return <Badge tone="bad" icon="warning" text={t.ended} />
  }
  if (days >= soonDays) return t.days(days)
  return <Badge tone="care" icon="warning" text={t.days(days)} />
}
