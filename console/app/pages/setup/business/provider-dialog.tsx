import { NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ProviderSettings, setProvider } from '../../../api/setup/sign-in-settings.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { useChange } from '../../../ui/change.ts'
import { fieldError, isAtField } from '../../../ui/field-errors.ts'
import { textOf } from '../../../ui/submit.ts'
import { useTexts } from '../../../ui/texts.ts'
import { useFaultTexts } from '../faults.ts'
import { useRoles } from '../rights-fields.tsx'
import { signInTexts } from './sign-in-texts.ts'

type Props = {
  /** Null: there is none yet. */
  readonly provider: ProviderSettings | null
  readonly onClose: () => void
}

type Wanted = Parameters<typeof setProvider>[1]
const needed = ['label', 'issuer', 'client_id', 'domains'] as const
const fields = [...needed, 'secret']

/** The settings of the provider at which users of the business sign in. */
export function ProviderDialog({ provider, onClose }: Props) {
  const t = useTexts(signInTexts)
  const faultTexts = useFaultTexts()
  const [missing, setMissing] = useState<readonly string[]>([])
  const { isBusy, error, run } = useChange<Wanted>(setProvider)
  const errorOf = (name: string) =>
    missing.includes(name) ? faultTexts.needed : fieldError(error, name)
  const submit = (form: FormData) => {
    const isSecretMissing = provider === null && textOf(form, 'secret') === ''
    const empty = [
      ...needed.filter((name) => textOf(form, name) === ''),
      ...(isSecretMissing ? ['secret'] : []),
    ]
    setMissing(empty)
    if (empty.length === 0) run(wantedOf(form), onClose)
  }
  return (
    <FormDialog
      title={t.provider}
      action={t.save}
      size="lg"
      onSubmit={submit}
      error={isAtField(error, fields) ? null : error}
      {...{ isBusy, onClose }}
    >
      <TextInput
        label={t.label}
        description={t.labelHint}
        name="label"
        defaultValue={provider?.label ?? ''}
        error={errorOf('label')}
        data-autofocus
      />
      <TextInput
        label={t.issuer}
        description={t.issuerHint}
        name="issuer"
        placeholder="https://login.example.com"
        defaultValue={provider?.issuer ?? ''}
        error={errorOf('issuer')}
      />
      <TextInput
        label={t.clientId}
        name="client_id"
        defaultValue={provider?.client_id ?? ''}
        error={errorOf('client_id')}
      />
      <PasswordInput
        label={t.secret}
        description={provider === null ? undefined : t.secretKept}
        name="secret"
        autoComplete="off"
        error={errorOf('secret')}
      />
      <Textarea
        label={t.domains}
        description={t.domainsHint}
        name="domains"
        rows={2}
        placeholder="example.com"
        defaultValue={provider?.domains.join('\n') ?? ''}
        error={errorOf('domains')}
      />
      <RoleField chosen={provider?.creates_role ?? ''} />
    </FormDialog>
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

function wantedOf(form: FormData): Wanted {
  const secret = textOf(form, 'secret')
  const role = textOf(form, 'creates_role')
  return {
    label: textOf(form, 'label'),
    issuer: textOf(form, 'issuer'),
    client_id: textOf(form, 'client_id'),
    domains: textOf(form, 'domains').split(/\s+/),
    creates_role: role === '' ? null : role,
    ...(secret !== '' && { secret }),
  }
}
