import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Connector } from '../../api/connectors.ts'
import { Badge } from '../../components/badge.tsx'
import { Icon } from '../../components/icon.tsx'
import styles from './settings.module.css'
import { SettingsForm } from './settings-form.tsx'

/** The settings of a connector, with a button that opens their form. */
export function SettingsView({ connector }: { readonly connector: Connector }) {
  const [edited, setEdited] = useState<Connector>()
  if (edited !== undefined) {
    return <SettingsForm connector={edited} onDone={() => setEdited(undefined)} />
  }
  return (
    <>
      <Facts connector={connector} />
      <Button
        variant="default"
        size="xs"
        mt="md"
        leftSection={<Icon name="pen" size={14} />}
        onClick={() => setEdited(connector)}
      >
        Change the settings
      </Button>
    </>
  )
}

function Facts({ connector }: { readonly connector: Connector }) {
  const { provisioning, protocol } = connector
  const { enabled, allowed } = provisioning.ip_whitelisting
  return (
    <dl className={styles.facts}>
      <Fact name="Name">{connector.name}</Fact>
      <Fact name="Description">{connector.description || 'none'}</Fact>
      <Fact name="Host that devices call">{connector.fqdn}</Fact>
      <Fact name="Authentication method">{provisioning.auth_type}</Fact>
      <Fact name="Provisioning">
        <Switched isOn={provisioning.enabled} />
      </Fact>
      <Fact name="Developer mode">
        {protocol.devmode ? (
          <Badge tone="care" icon="unlocked">
            on: devices may speak without encryption
          </Badge>
        ) : (
          'off'
        )}
      </Fact>
      <Fact name="Self-registration">
        {provisioning.generate_identity
          ? `on: ${provisioning.registrations_per_minute} a minute from one address`
          : 'off'}
      </Fact>
      <Fact name="Identities at most">{provisioning.identities_max}</Fact>
      <Fact name="Identity format">{formatInWords(connector.identity_format)}</Fact>
      <Fact name="Addresses devices are provisioned from">
        {enabled ? allowed.join(', ') || 'none' : 'any'}
      </Fact>
      <Fact name="Provisioning a device again">{reprovisionInWords(provisioning.reprovision)}</Fact>
    </dl>
  )
}

function reprovisionInWords({ policy, data }: Connector['provisioning']['reprovision']): string {
  if (policy === 'never') return 'never'
  return data === 'keep' ? 'on order; its values are kept' : 'on order; its values are cleared'
}

function Switched({ isOn }: { readonly isOn: boolean }) {
  return isOn ? 'on' : 'off'
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function formatInWords({ prefix, type, options }: Connector['identity_format']): string {
  const { casing, length } = options
  const parts = [
    type,
    prefix !== '' && `after the prefix ${prefix}`,
    length !== null && `${length} characters`,
    casing !== 'any' && `${casing} case`,
  ]
  return parts.filter(Boolean).join(', ')
}
