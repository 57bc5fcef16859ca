import { Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Connector } from '../../../api/connectors.ts'
import { Badge } from '../../../components/badge.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { DeleteConnector } from './delete-connector.tsx'
import styles from './settings.module.css'
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
      <Facts connector={connector} />
      <Group gap="xs" mt="md">
        <Action text={t.change} icon="pen" onClick={() => setEdited(connector)} />
        <DeleteConnector connector={connector} />
      </Group>
    </>
  )
}

function Facts({ connector }: { readonly connector: Connector }) {
  const s = useTexts(settingTexts)
  const t = useTexts(texts)
  const words = useTexts(choiceTexts)
  const { provisioning, protocol } = connector
  const { enabled, allowed } = provisioning.ip_whitelisting
  const { policy, data } = provisioning.reprovision
  return (
    <dl className={styles.facts}>
      <Fact name={s.name}>{connector.name}</Fact>
      <Fact name={s.description}>{connector.description || s.none}</Fact>
      <Fact name={s.host}>{connector.fqdn}</Fact>
      <Fact name={s.protocol}>{protocol.name}</Fact>
      <Fact name={s.authType}>{words[provisioning.auth_type]}</Fact>
      <Fact name={s.enabled}>{provisioning.enabled ? s.on : s.off}</Fact>
      <Fact name={s.devmode}>
        {protocol.devmode ? <Badge tone="care" icon="unlocked" text={s.devmodeOn} /> : s.off}
      </Fact>
      <Fact name={s.selfRegistration}>
        {provisioning.generate_identity ? t.rate(provisioning.registrations_per_minute) : s.off}
      </Fact>
      <Fact name={s.identitiesMax}>{provisioning.identities_max}</Fact>
      <Fact name={s.format}>
        <Format connector={connector} />
      </Fact>
      <Fact name={s.restriction}>{enabled ? allowed.join(', ') || s.none : s.any}</Fact>
      <Fact name={s.reprovision}>{words[policy]}</Fact>
      {policy === 'on_order' && <Fact name={s.reprovisionData}>{words[data]}</Fact>}
      <Fact name={s.pki}>{provisioning.pki.enabled ? s.on : s.off}</Fact>
    </dl>
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

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
