import { Anchor, Button, Group } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Connector } from '../../api/connectors.ts'
import { Badge } from '../../components/badge.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Line } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pane } from '../../components/pane.tsx'
import { List } from '../../components/table/list.tsx'
import { createConnector } from '../../ui/curl.ts'
import { useConnectors } from '../../ui/live.ts'
import { useShell } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { ImportConnector } from './settings/import-connector.tsx'
import { NewConnector } from './settings/new-connector.tsx'

const texts = defineTexts({
  title: ['Connectors', 'Konnektoren'],
  name: ['Name', 'Name'],
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
          <Add what="new" icon="plus" isMain>
            {t.create}
          </Add>
          <Add what="import" icon="up">
            {t.import}
          </Add>
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

type AddProps = {
  readonly what: 'new' | 'import'
  readonly icon: IconName
  readonly isMain?: boolean
  readonly children: ReactNode
}

function Add({ what, icon, isMain = false, children }: AddProps) {
  return (
    <Button
      component={Link}
      to={`/connectors?add=${what}`}
      size="xs"
      variant={isMain ? 'filled' : 'default'}
      leftSection={<Icon name={icon} size={14} />}
    >
      {children}
    </Button>
  )
}

function Connectors() {
  const t = useTexts(texts)
  const shell = useShell()
  const connectors = useConnectors()
  return (
    <Pane title={t.title} query={connectors}>
      {(all) =>
        all.length === 0 ? (
          <NextStep command={createConnector(shell)}>{t.none}</NextStep>
        ) : (
          <List
            items={all}
            keyOf={({ id }) => id}
            namesLast
            columns={[
              [t.name, (one) => <Named {...one} />],
              [t.host, ({ fqdn }) => fqdn],
              [t.protocol, ({ protocol }) => protocol.name],
            ]}
          />
        )
      }
    </Pane>
  )
}

function Named({ id, name, protocol, provisioning }: Connector) {
  const t = useTexts(texts)
  return (
    <Line>
      <Anchor component={Link} to={`/connectors/${encodeURIComponent(id)}`}>
        {name}
      </Anchor>
      {protocol.devmode && (
        <Badge tone="care" icon="unlocked" title={t.devmodeTitle} text={t.devmode} />
      )}
      {!provisioning.enabled && <Badge tone="quiet" icon="lock" title={t.offTitle} text={t.off} />}
    </Line>
  )
}
