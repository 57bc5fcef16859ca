import { enums } from '@millrace/client'
import type { Connector } from '../../../api/connectors.ts'
import type { SettingField } from '../../../components/form/setting-fields.tsx'
import { type ConnectorSetting, shownAt, type Typed } from '../../../ui/settings.ts'
import { useTexts } from '../../../ui/texts.ts'
import { choiceTexts, settingTexts } from './texts.ts'

type Fields = readonly (SettingField<ConnectorSetting> | false)[]

const vendors = ['', 'internal', 'cfssl', 'est', 'digicert'] as const
const tick = 'tick' as const
const inputMode = 'numeric' as const

/** The fields of a connector's settings in their groups; some are shown by what others hold. */
export function useSettingGroups(connector: Connector, typed: Typed): readonly Fields[] {
  const t = useSettingTexts()
  const words: Readonly<Record<string, string>> = useTexts(choiceTexts)
  const by = {
    t,
    holds: (path: ConnectorSetting) => typed[path] ?? shownAt(connector, path),
    choice: (values: readonly string[]) => ({
      kind: 'choice' as const,
      data: values.map((value) => ({ value, label: words[value || 'noVendor'] ?? value })),
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
  readonly choice: (values: readonly string[]) => Pick<SettingField, 'kind' | 'data'>
  /** True if a key of the vendor is stored. */
  readonly hasKey: boolean
}

function nameFields({ t, choice }: By): Fields {
  return [
    { path: 'name', label: t.name },
    { path: 'description', label: t.description },
    { path: 'protocol.name', label: t.protocol, ...choice(enums.ProtocolName) },
    { path: 'provisioning.enabled', kind: tick, label: t.enabledTick },
    { path: 'provisioning.generate_identity', kind: tick, label: t.selfRegistrationTick },
    { path: 'protocol.devmode', kind: tick, label: t.devmodeTick },
  ]
}

function identityFields({ t, choice }: By): Fields {
  return [
    { path: 'identity_format.type', label: t.identityType, ...choice(enums.IdentityType) },
    { path: 'identity_format.prefix', label: t.prefix, description: t.prefixHint },
    {
      path: 'identity_format.options.length',
      label: t.length,
      description: t.lengthHint,
      inputMode,
    },
    {
      path: 'identity_format.options.casing',
      label: t.casing,
      ...choice(enums.IdentityCasing),
    },
    { path: 'provisioning.identities_max', label: t.identitiesMax, inputMode },
    {
      path: 'provisioning.registrations_per_minute',
      label: t.registrationsPerMinute,
      inputMode,
    },
  ]
}

function accessFields({ t, choice, holds }: By): Fields {
  return [
    {
      path: 'provisioning.auth_type',
      label: t.authType,
      description: t.authTypeHint,
      ...choice(enums.ConnectorAuthType),
    },
    { path: 'provisioning.ip_whitelisting.enabled', kind: tick, label: t.restrictionTick },
    holds('provisioning.ip_whitelisting.enabled') === true && {
      path: 'provisioning.ip_whitelisting.allowed',
      kind: 'lines',
      label: t.allowed,
      placeholder: '10.0.0.0/8',
    },
    {
      path: 'provisioning.reprovision.policy',
      label: t.reprovision,
      ...choice(enums.ReprovisionPolicy),
    },
    holds('provisioning.reprovision.policy') === 'on_order' && {
      path: 'provisioning.reprovision.data',
      label: t.reprovisionData,
      ...choice(enums.ReprovisionData),
    },
  ]
}

/** PKI reveals the client CA and the vendor, and a vendor its options. */
function pkiFields({ t, choice, holds, hasKey }: By): Fields {
  const hasPki = holds('provisioning.pki.enabled') === true
  const hasVendor = hasPki && holds('provisioning.pki.vendor') !== ''
  return [
    { path: 'provisioning.pki.enabled', kind: tick, label: t.pkiTick },
    hasPki && {
      path: 'provisioning.pki.ca',
      kind: 'lines',
      label: t.ca,
      placeholder: '-----BEGIN CERTIFICATE-----',
      spellCheck: false,
    },
    hasPki && {
      path: 'provisioning.pki.vendor',
      label: t.vendor,
      description: t.vendorHint,
      ...choice(vendors),
    },
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
      inputMode,
    },
    hasVendor && {
      path: 'provisioning.pki.vendor_options.url',
      label: t.vendorUrl,
      description: t.vendorUrlHint,
    },
  ]
}
