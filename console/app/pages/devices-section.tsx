import { Title } from '@mantine/core'
import { useCallback } from 'react'
import type { Connector } from '../api/connectors.ts'
import { Badge } from '../components/badge.tsx'
import { Choices } from '../components/choices.tsx'
import { Faint, Line } from '../components/line.tsx'
import { NextStep } from '../components/next-step.tsx'
import { Pane } from '../components/pane.tsx'
import { createConnector } from '../ui/curl.ts'
import { useConnectors } from '../ui/live.ts'
import { useSelection } from '../ui/selection.ts'
import { useShell } from '../ui/session.tsx'
import { useDefault } from '../ui/use-default.ts'
import { ConnectorPane } from './connector-pane.tsx'
import { DeviceListPane } from './device-list-pane.tsx'
import { DevicePane } from './device-pane.tsx'
import styles from './section.module.css'

/** Connectors, the devices of one, and the values of one of these. */
export function DevicesSection() {
  const [selection, choose] = useSelection()
  const connectors = useConnectors()
  const connector = connectors.data?.find(({ id }) => id === selection.connector)
  const chooseConnector = useCallback(
    (id: string) => choose({ connector: id, device: undefined }),
    [choose],
  )
  useDefault(connector?.id, connectors.data?.[0]?.id, chooseConnector)
  return (
    <section className={styles.section} aria-labelledby="devices">
      <Title order={2} size="h4" id="devices">
        Devices
      </Title>
      <div className={`${styles.panes} ${styles.three}`}>
        <Pane title="Connectors" query={connectors}>
          {(all) => <ConnectorList all={all} chosen={connector?.id} onChoose={chooseConnector} />}
        </Pane>
        {connector !== undefined && <DeviceListPane key={connector.id} connector={connector} />}
        {connector !== undefined && selection.device !== undefined && (
          <div className={styles.wide}>
            <DevicePane connector={connector} identity={selection.device} />
          </div>
        )}
      </div>
      {connector !== undefined && <ConnectorPane key={connector.id} connector={connector} />}
    </section>
  )
}

type ListProps = {
  readonly all: readonly Connector[]
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
}

function ConnectorList({ all, chosen, onChoose }: ListProps) {
  const shell = useShell()
  if (all.length === 0) {
    return (
      <NextStep command={createConnector(shell)}>
        There is no connector yet. Devices speak through one; this makes one in developer mode,
        where devices may register themselves:
      </NextStep>
    )
  }
  return (
    <Choices
      label="Connectors"
      items={all}
      keyOf={({ id }) => id}
      chosen={chosen}
      onChoose={onChoose}
    >
      {(connector) => <ConnectorLine connector={connector} />}
    </Choices>
  )
}

const devmode = 'Devices may speak to it without encryption.'

function ConnectorLine({ connector }: { readonly connector: Connector }) {
  const { id, name, fqdn, protocol, provisioning } = connector
  return (
    <>
      <span>{name}</span>
      <Faint>
        <span>{id}</span>
        <span>{fqdn}</span>
      </Faint>
      <Line>
        {protocol.devmode && (
          <Badge tone="care" icon="unlocked" title={devmode}>
            developer mode
          </Badge>
        )}
        {!provisioning.enabled && (
          <Badge tone="quiet" icon="lock" title="No device can activate.">
            provisioning off
          </Badge>
        )}
      </Line>
    </>
  )
}
