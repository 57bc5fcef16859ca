import { Group } from '@mantine/core'
import { useState } from 'react'
import type { Connector } from '../../../api/connectors.ts'
import { Badge } from '../../../components/badge.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { Facts } from '../../../components/controls/facts.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { DeleteConnector } from './delete-connector.tsx'
import { SettingsForm } from './settings-form.tsx'
import { choiceTexts, settingTexts } from './texts.ts'

const texts = defineTexts({
  change: ['Change the settings', 'Einstellungen ändern'],
  rate: (count: number) => [
    `on: ${count} a minute from one address`,
    `an: ${count} je Minute von einer Adresse`,
  ],
  prefix: (prefix: string) => [`after the prefix ${prefix}`, `nach dem Präfix ${prefix}`],
  length: (count: number) => [`${count} characters`, `${count} Zeichen`],
})

/** The settings of a connector, with a button that opens their form. */
export function SettingsView({ connector }: { readonly connector: Connector }) {
  const t = useTexts(texts)
  const [edited, setEdited] = useState<Connector>()
  if (edited !== undefined) {
    return <SettingsForm connector={edited} onDone={() => setEdited(undefined)} />
  }
  return (
    <>
      <Settings connector={connector} />
      <Group gap="xs" mt="md">
        <Action text={t.change} icon="pen" onClick={() => setEdited(connector)} />
        <DeleteConnector connector={connector} />
      </Group>
    </>
  )
}

function Settings({ connector }: { readonly connector: Connector }) {
  const s = useTexts(settingTexts)
  const t = useTexts(texts)
  const words = useTexts(choiceTexts)
  const { provisioning, protocol } = connector
  const { enabled, allowed } = provisioning.ip_whitelisting
  const { policy, data } = provisioning.reprovision
  const rate = provisioning.registrations_per_minute
  const on = <Badge tone="care" icon="unlocked" text={s.devmodeOn} />
  const devmode = protocol.devmode ? on : s.off
  return (
    <Facts
      facts={[
        [s.name, connector.name],
        [s.description, connector.description || s.none],
        [s.host, connector.fqdn],
        [s.protocol, protocol.name],
        [s.authType, words[provisioning.auth_type]],
        [s.enabled, provisioning.enabled ? s.on : s.off],
        [s.devmode, devmode],
        [s.selfRegistration, provisioning.generate_identity ? t.rate(rate) : s.off],
        [s.identitiesMax, provisioning.identities_max],
        [s.format, <Format key="format" connector={connector} />],
        [s.restriction, enabled ? allowed.join(', ') || s.none : s.any],
        [s.reprovision, words[policy]],
        policy === 'on_order' && [s.reprovisionData, words[data]],
        [s.pki, provisioning.pki.enabled ? s.on : s.off],
      ]}
    />
  )
}

function Format({ connector }: { readonly connector: Connector }) {
  const t = useTexts(texts)
  const words = useTexts(choiceTexts)
  const { prefix, type, options } = connector.identity_format
  const { casing, length } = options
  const parts = [
    words[type],
    prefix !== '' && t.prefix(prefix),
    length !== null && t.length(length),
    casing !== 'any' && words[casing],
  ]
  return parts.filter(Boolean).join(', ')
}
