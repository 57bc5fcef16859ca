import { NativeSelect, PasswordInput, Textarea } from '@mantine/core'
import { type ProviderSettings, setProvider } from '../../../api/setup/sign-in-settings.ts'
import { FieldsDialog } from '../../../components/form/fields-dialog.tsx'
import { textOf } from '../../../ui/submit.ts'
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
  const needed = true
  return (
    <FieldsDialog
      title={t.provider}
      action={t.save}
      size="lg"
      fields={[
        { name: 'label', label: t.label, description: t.labelHint, value: label, needed },
        {
          name: 'issuer',
          label: t.issuer,
          description: t.issuerHint,
          value: issuer,
          needed,
          placeholder: 'https://login.example.com',
        },
        { name: 'client_id', label: t.clientId, value: clientId, needed },
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
          as: Textarea,
          label: t.domains,
          description: t.domainsHint,
          value: domains?.join('\n'),
          needed,
          rows: 2,
          placeholder: 'example.com',
        },
        <RoleField key="role" chosen={role ?? ''} />,
      ]}
      send={(client, { secret, domains: lines, ...given }, form) =>
        setProvider(client, {
          ...given,
          ...(secret.trim() !== '' && { secret: secret.trim() }),
          domains: lines.split(/\s+/),
          creates_role: textOf(form, 'creates_role') || null,
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
