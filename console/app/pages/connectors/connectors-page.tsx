import { Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Connector } from '../../api/connectors.ts'
import { Badge } from '../../components/badge.tsx'
import { LinkAction } from '../../components/controls/link-action.tsx'
import { PageLink } from '../../components/controls/page-link.tsx'
import { Line } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ListPane } from '../../components/table/list-pane.tsx'
import { createConnector } from '../../ui/curl.ts'
import { useConnectors } from '../../ui/live-queries.ts'
import { useShell } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { ImportConnector } from './settings/import-connector.tsx'
import { NewConnector } from './settings/new-connector.tsx'

const texts = defineTexts({
  title: ['Connectors', 'Konnektoren'],
  host: ['Host', 'Host'],
  protocol: ['Protocol', 'Protokoll'],
  devmode: ['developer mode', 'Entwicklermodus'],
  devmodeTitle: [
    'Devices may connect to it without encryption.',
    'Geräte dürfen sich ohne Verschlüsselung verbinden.',
  ],
  off: ['provisioning off', 'Provisionierung aus'],
  offTitle: ['No device can activate.', 'Kein Gerät kann sich aktivieren.'],
  create: ['New connector', 'Neuer Konnektor'],
  import: ['Import a definition', 'Definition importieren'],
  none: [
    'There is no connector yet. Devices need one to connect: make it here, or with this command.',
    'Es gibt noch keinen Konnektor. Geräte brauchen einen, um sich zu verbinden: Legen Sie ' +
      'ihn hier an oder mit diesem Befehl.',
  ],
})

const route = getRouteApi('/connectors/')

/** All connectors of the business, and the forms that add one. */
export function ConnectorsPage() {
  const t = useTexts(texts)
  const { add } = route.useSearch()
  if (add === 'new') return <Form title={t.create} form={<NewConnector />} />
  if (add === 'import') return <Form title={t.import} form={<ImportConnector />} />
  return (
    <>
      <PageHead title={t.title}>
        <Group gap="xs">
          <LinkAction text={t.create} icon="plus" main to="/connectors" search={{ add: 'new' }} />
          <LinkAction text={t.import} icon="up" to="/connectors" search={{ add: 'import' }} />
        </Group>
      </PageHead>
      <Connectors />
    </>
  )
}

function Form({ title, form }: { readonly title: string; readonly form: ReactNode }) {
  return (
    <>
      <PageHead title={title} />
      {form}
    </>
  )
}

function Connectors() {
  const t = useTexts(texts)
  const shell = useShell()
  const connectors = useConnectors()
  return (
    <ListPane
      title={t.title}
      query={connectors}
      none={<NextStep command={createConnector(shell)}>{t.none}</NextStep>}
      itemKey={({ id }) => id}
      namesLast
      columns={[
        [t.name, (one) => <Name {...one} />],
        [t.host, ({ fqdn }) => fqdn],
        [t.protocol, ({ protocol }) => protocol.name],
      ]}
    />
  )
}

function Name({ id, name, protocol, provisioning }: Connector) {
  const t = useTexts(texts)
  return (
    <Line>
      <PageLink to="/connectors/$connector" params={{ connector: id }} size="md" text={name} />
      {protocol.devmode && (
        <Badge tone="care" icon="unlocked" title={t.devmodeTitle} text={t.devmode} />
      )}
      {!provisioning.enabled && <Badge tone="quiet" icon="lock" title={t.offTitle} text={t.off} />}
    </Line>
  )
}
