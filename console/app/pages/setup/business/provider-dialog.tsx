import { NativeSelect, PasswordInput } from '@mantine/core'
import { type ProviderSettings, setProvider } from '../../../api/setup/sign-in-settings.ts'
import { FieldsDialog } from '../../../components/form/fields-dialog.tsx'
import { setOidcForm } from '../../../generated/forms.ts'
import { readText } from '../../../ui/submit.ts'
import { useTexts } from '../../../ui/texts.ts'
import { useRoles } from '../rights-fields.tsx'
import { signInTexts } from './sign-in-texts.ts'

type Props = {
  /** Null: there is none yet. */
  readonly provider: ProviderSettings | null
  readonly onClose: () => void
}

/** The settings of the provider at which users of the business sign in. */
export function ProviderDialog({ provider, onClose }: Props) {
  const t = useTexts(signInTexts)
  const { label, issuer, client_id: clientId, domains, creates_role: role } = provider ?? {}
  return (
    <FieldsDialog
      title={t.provider}
      action={t.save}
      size="lg"
      form={setOidcForm}
      fields={[
        { name: 'label', label: t.label, description: t.labelHint, value: label },
        {
          name: 'issuer',
          label: t.issuer,
          description: t.issuerHint,
          value: issuer,
          placeholder: 'https://login.example.com',
        },
        { name: 'client_id', label: t.clientId, value: clientId },
        {
          name: 'secret',
          as: PasswordInput,
          label: t.secret,
          autoComplete: 'off',
          description: provider === null ? undefined : t.secretKept,
          needed: provider === null,
        },
        {
          name: 'domains',
          label: t.domains,
          description: t.domainsHint,
          value: domains?.join('\n'),
          placeholder: 'example.com',
        },
        <RoleField key="role" chosen={role ?? ''} />,
      ]}
      send={(client, body, form) =>
        setProvider(client, {
          ...body,
          ...(body.secret && { secret: body.secret.trim() }),
          domains: readText(form, 'domains').split(/\s+/),
          creates_role: readText(form, 'creates_role') || null,
        })
      }
      onClose={onClose}
    />
  )
}

/** The role of who signs in there without being a user. */
function RoleField({ chosen }: { readonly chosen: string }) {
  const t = useTexts(signInTexts)
  const roles = useRoles()
  return (
    <NativeSelect
      key={roles.data?.length ?? 0}
      label={t.role}
      description={t.roleHint}
      name="creates_role"
      defaultValue={chosen}
      data={[
        { value: '', label: t.noRole },
        ...(roles.data ?? []).map(({ name }) => ({ value: name, label: name })),
      ]}
    />
  )
}
