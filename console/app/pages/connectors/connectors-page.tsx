import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Connector } from '../../api/connectors.ts'
import { Badge } from '../../components/badge.tsx'
import { Line } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table.tsx'
import { createConnector } from '../../ui/curl.ts'
import { useConnectors } from '../../ui/live.ts'
import { useShell } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts(
  {
    title: 'Connectors',
    name: 'Name',
    host: 'Host',
    protocol: 'Protocol',
    devmode: 'developer mode',
    devmodeTitle: 'Devices may speak to it without encryption.',
    off: 'provisioning off',
    offTitle: 'No device can activate.',
    none: 'There is no connector yet. This makes one, where devices may register themselves:',
  },
  {
    de: {
      title: 'Konnektoren',
      name: 'Name',
      host: 'Host',
      protocol: 'Protokoll',
      devmode: 'Entwicklermodus',
      devmodeTitle: 'Geräte dürfen ohne Verschlüsselung sprechen.',
      off: 'Provisionierung aus',
      offTitle: 'Kein Gerät kann sich aktivieren.',
      none: 'Es gibt noch keinen Konnektor. Dies legt einen an, bei dem Geräte sich anmelden:',
    },
  },
)

/** All connectors of the business. */
export function ConnectorsPage() {
  const t = useTexts(texts)
  const shell = useShell()
  const connectors = useConnectors()
  return (
    <>
      <PageHead title={t.title} />
      <Pane title={t.title} query={connectors}>
        {(all) =>
          all.length === 0 ? (
            <NextStep command={createConnector(shell)}>{t.none}</NextStep>
          ) : (
            <Table heads={[t.name, t.host, t.protocol]} narrow="stacked">
              {all.map((one) => (
                <Row key={one.id} connector={one} />
              ))}
            </Table>
          )
        }
      </Pane>
    </>
  )
}

function Row({ connector: { id, name, fqdn, protocol, provisioning } }: { connector: Connector }) {
  const t = useTexts(texts)
  return (
    <tr>
      <td>
        <Anchor component={Link} to={`/connectors/${encodeURIComponent(id)}`}>
          {name}
        </Anchor>
      </td>
      <td data-label={t.host}>{fqdn}</td>
      <td data-label={t.protocol}>
        <Line>
          {protocol.name}
          {protocol.devmode && (
            <Badge tone="care" icon="unlocked" title={t.devmodeTitle}>
              {t.devmode}
            </Badge>
          )}
          {!provisioning.enabled && (
            <Badge tone="quiet" icon="lock" title={t.offTitle}>
              {t.off}
            </Badge>
          )}
        </Line>
      </td>
    </tr>
  )
}
