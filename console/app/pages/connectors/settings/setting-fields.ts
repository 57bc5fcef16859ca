import { Textarea } from '@mantine/core'
import { enums } from '@millrace/client'
import type { Connector, SettingsPart } from '../../../api/connectors.ts'
import type { SettingField } from '../../../components/form/setting-fields.tsx'
import { updateConnectorForm } from '../../../generated/forms.ts'
import { type PathIn, shownAt, type Typed } from '../../../ui/forms.ts'
import { useTexts } from '../../../ui/texts.ts'
import { choiceTexts, settingTexts } from './texts.ts'

/** A setting of a connector as the API names it. */
type ConnectorSetting = PathIn<Required<SettingsPart>>
type Fields = readonly (SettingField<ConnectorSetting> | false)[]

/** The fields of a connector's settings in their groups; some are shown by what others hold. */
export function useSettingGroups(connector: Connector, typed: Typed): readonly Fields[] {
  const t = useSettingTexts()
  const words: Readonly<Record<string, string>> = useTexts(choiceTexts)
  const by = {
    t,
    holds: (path: ConnectorSetting) => typed[path] ?? shownAt(connector, path),
    choice: (path: ConnectorSetting, values = updateConnectorForm[path]?.choices ?? []) => ({
      path,
      data: values
        .toSorted((one, other) => Number(one !== '') - Number(other !== ''))
        .map((value) => ({ value, label: words[value || 'noVendor'] ?? value })),
    }),
    hasKey: connector.provisioning.pki.vendor_options.api_key_set,
  }
  return [nameFields(by), identityFields(by), accessFields(by), pkiFields(by)]
}

const useSettingTexts = () => useTexts(settingTexts)

type By = {
  readonly t: ReturnType<typeof useSettingTexts>
  /** Returns what the form holds of a setting. */
  readonly holds: (path: ConnectorSetting) => string | boolean
  /** Returns a field with the words for its values, which are those of the contract. */
  readonly choice: (
    path: ConnectorSetting,
    values?: readonly string[],
  ) => Pick<SettingField<ConnectorSetting>, 'path' | 'data'>
  /** True if a key of the vendor is stored. */
  readonly hasKey: boolean
}

function nameFields({ t, choice }: By): Fields {
  return [
    { path: 'name', label: t.name },
    { path: 'description', label: t.description },
    { ...choice('protocol.name', enums.ProtocolName), label: t.protocol },
    { path: 'provisioning.enabled', label: t.enabledTick },
    { path: 'provisioning.generate_identity', label: t.selfRegistrationTick },
    { path: 'protocol.devmode', label: t.devmodeTick },
  ]
}

function identityFields({ t, choice }: By): Fields {
  return [
    { ...choice('identity_format.type'), label: t.identityType },
    { path: 'identity_format.prefix', label: t.prefix, description: t.prefixHint },
    { path: 'identity_format.options.length', label: t.length, description: t.lengthHint },
    { ...choice('identity_format.options.casing'), label: t.casing },
    { path: 'provisioning.identities_max', label: t.identitiesMax },
    { path: 'provisioning.registrations_per_minute', label: t.registrationsPerMinute },
  ]
}

function accessFields({ t, choice, holds }: By): Fields {
  return [
    { ...choice('provisioning.auth_type'), label: t.authType, description: t.authTypeHint },
    { path: 'provisioning.ip_whitelisting.enabled', label: t.restrictionTick },
    holds('provisioning.ip_whitelisting.enabled') === true && {
      path: 'provisioning.ip_whitelisting.allowed',
      label: t.allowed,
      placeholder: '10.0.0.0/8',
    },
    { ...choice('provisioning.reprovision.policy'), label: t.reprovision },
    holds('provisioning.reprovision.policy') === 'on_order' && {
      ...choice('provisioning.reprovision.data'),
      label: t.reprovisionData,
    },
  ]
}

/** PKI reveals the client CA and the vendor, and a vendor its options. */
function pkiFields({ t, choice, holds, hasKey }: By): Fields {
  const hasPki = holds('provisioning.pki.enabled') === true
  const hasVendor = hasPki && holds('provisioning.pki.vendor') !== ''
  return [
    { path: 'provisioning.pki.enabled', label: t.pkiTick },
    hasPki && {
      path: 'provisioning.pki.ca',
      as: Textarea,
      label: t.ca,
      placeholder: '-----BEGIN CERTIFICATE-----',
      spellCheck: false,
    },
    hasPki && { ...choice('provisioning.pki.vendor'), label: t.vendor, description: t.vendorHint },
    hasVendor && { path: 'provisioning.pki.vendor_options.profile', label: t.profile },
    hasVendor && {
      path: 'provisioning.pki.vendor_options.api_key',
      label: t.apiKey,
      description: hasKey && t.apiKeySet,
      type: 'password',
      autoComplete: 'new-password',
    },
    hasVendor && {
      path: 'provisioning.pki.vendor_options.validity_months',
      label: t.validityMonths,
      description: t.validityHint,
    },
    hasVendor && {
      path: 'provisioning.pki.vendor_options.url',
      label: t.vendorUrl,
      description: t.vendorUrlHint,
    },
  ]
}
