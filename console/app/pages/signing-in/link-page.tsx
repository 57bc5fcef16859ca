import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { ApiError } from '@millrace/client'
import { useMemo } from 'react'
import { createPageClient } from '../../api/client.ts'
import { acceptInvitation, resetPassword } from '../../api/people/sessions.ts'
import type { MailLink } from '../../ui/mail-link.ts'
import { readText, useSubmit } from '../../ui/submit.ts'
import { useTexts } from '../../ui/texts.ts'
import { AccountCard } from './account-card.tsx'
import { signingInTexts } from './texts.ts'

type Props = {
  readonly origin: string
  readonly link: MailLink
  /** Called with a sentence for the sign-in. */
  readonly onDone: (notice: string) => void
}

/** The page of a mail's link: an invitation, or a new password. */
export function LinkPage({ origin, link: { kind, secret }, onDone }: Props) {
  const t = useTexts(signingInTexts)
  const client = useMemo(() => createPageClient({ origin }), [origin])
  const isInvitation = kind === 'invitation'
  const { error, isBusy, submit } = useSubmit(async (form) => {
    const password = `${form.get('password')}`
    if (password !== `${form.get('again')}`)
      throw new ApiError({ code: 'passwords_differ', status: 0, message: t.differ })
    if (isInvitation) {
      const person = { token: secret, name: readText(form, 'name'), password }
      const email = await acceptInvitation(client, person)
      onDone(t.accepted(email))
    } else {
      await resetPassword(client, { token: secret, password })
      onDone(t.isSet)
    }
  })
  return (
    <AccountCard title={isInvitation ? t.acceptInvitation : t.setNew} error={error}>
      <form onSubmit={submit}>
        <Stack>
          {isInvitation && <TextInput label={t.yourName} name="name" autoComplete="name" />}
          <PasswordInput
            label={t.newPassword}
            name="password"
            autoComplete="new-password"
            required
            withAsterisk={false}
          />
          <PasswordInput
            label={t.again}
            name="again"
            autoComplete="new-password"
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={isBusy} fullWidth>
            {isInvitation ? t.accept : t.set}
          </Button>
        </Stack>
      </form>
    </AccountCard>
  )
}
