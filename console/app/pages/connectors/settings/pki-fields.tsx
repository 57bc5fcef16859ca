import { Stack } from '@mantine/core'
import { vendors } from '../../../ui/settings.ts'
import { useTexts } from '../../../ui/texts.ts'
import { ChoiceField, type Fields, LinesField, TextField, TickField } from './fields.tsx'
import { settingTexts } from './texts.ts'

type Props = Fields & {
  /** Whether a key of the vendor is stored. */
  readonly hasKey: boolean
}

/** PKI reveals the client CA and the vendor, and a vendor its options. */
export function PkiFields({ hasKey, ...fields }: Props) {
  const t = useTexts(settingTexts)
  const { pki, vendor } = fields.draft
  return (
    <Stack gap="xs">
      <TickField {...fields} name="pki" label={t.pkiTick} />
      {pki && (
        <>
          <LinesField
            {...fields}
            name="ca"
            label={t.ca}
            placeholder="-----BEGIN CERTIFICATE-----"
            spellCheck={false}
          />
          <ChoiceField
            {...fields}
            name="vendor"
            label={t.vendor}
            description={t.vendorHint}
            choices={vendors}
          />
        </>
      )}
      {pki && vendor !== '' && (
        <>
          <TextField {...fields} name="profile" label={t.profile} />
          <TextField
            {...fields}
            name="apiKey"
            label={t.apiKey}
            type="password"
            autoComplete="new-password"
            {...(hasKey && { description: t.apiKeySet })}
          />
          <TextField
            {...fields}
            name="validityMonths"
            label={t.validityMonths}
            description={t.validityHint}
            inputMode="numeric"
          />
          <TextField
            {...fields}
            name="vendorUrl"
            label={t.vendorUrl}
            description={t.vendorUrlHint}
          />
        </>
      )}
    </Stack>
  )
}
