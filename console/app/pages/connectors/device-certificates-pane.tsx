import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Connector } from '../../api/connectors.ts'
import { listDeviceCertificates } from '../../api/provisioning/certificates.ts'
import { Badge } from '../../components/badge.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { useTimed } from '../../ui/clock.ts'
import { listEveryMs, useLive } from '../../ui/live.ts'
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
  const page = useLive({
    key: ['device-certificates', connector.id],
    read: (client, signal) =>
      listDeviceCertificates(client, connector.id, certificatesShown, signal),
    everyMs: listEveryMs,
  })
  return (
    <Pane title={t.ofDevices} query={page}>
      {({ certificates, mayLoadMore }) => (
        <>
          {certificates.length === 0 && <NextStep>{t.noneOfDevices}</NextStep>}
          {certificates.length > 0 && (
            <Table heads={[t.identity, t.left, t.ends]} narrow="stacked">
              {certificates.map(({ identity, until }) => (
                <tr key={identity}>
                  <td>
                    <Anchor
                      size="sm"
                      renderRoot={(props) => (
                        <Link
                          {...props}
                          to="/connectors/$connector/devices/$identity/{-$view}"
                          params={{ connector: connector.id, identity, view: 'credentials' }}
                        />
                      )}
                    >
                      {identity}
                    </Anchor>
                  </td>
                  <td data-label={t.left}>
                    <TimeLeft until={until} />
                  </td>
                  <td data-label={t.ends}>{moment(until)}</td>
                </tr>
              ))}
            </Table>
          )}
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
    return (
      <Badge tone="bad" icon="warning">
        {t.ended}
      </Badge>
    )
  }
  if (days >= soonDays) return t.days(days)
  return (
    <Badge tone="care" icon="warning">
      {t.days(days)}
    </Badge>
  )
}
