import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { ApiError } from '@millrace/client'
import { useMemo } from 'react'
import { createPageClient } from '../../api/client.ts'
import { acceptInvitation, resetPassword } from '../../api/people/sessions.ts'
import type { MailLink } from '../../ui/mail-link.ts'
import { textOf, useSubmit } from '../../ui/submit.ts'
import { AccountCard } from './account-card.tsx'

type Props = {
  readonly origin: string
  readonly link: MailLink
  /** Called with a sentence for the sign-in. */
  readonly onDone: (notice: string) => void
}

/** What the link of a mail leads to: an invitation, or a new password. */
export function LinkPage({ origin, link: { kind, secret }, onDone }: Props) {
  const client = useMemo(() => createPageClient({ origin }), [origin])
  const isInvitation = kind === 'invitation'
  const { error, isBusy, submit } = useSubmit(async (form) => {
    const password = `${form.get('password')}`
    if (password !== `${form.get('again')}`) throw differing()
    if (isInvitation) {
      const email = await acceptInvitation(client, secret, { name: textOf(form, 'name'), password })
      onDone(`You are a user now. Sign in as ${email}.`)
    } else {
      await resetPassword(client, secret, password)
      onDone('Your password is set. Sign in with it.')
    }
  })
  return (
    <AccountCard
      title={isInvitation ? 'Accept the invitation' : 'Set a new password'}
      error={error}
    >
      <form onSubmit={submit}>
        <Stack>
          {isInvitation && <TextInput label="Your name" name="name" autoComplete="name" />}
          <PasswordInput
            label="New password"
            name="password"
            autoComplete="new-password"
            required
            withAsterisk={false}
          />
          <PasswordInput
            label="New password, again"
            name="again"
            autoComplete="new-password"
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={isBusy} fullWidth>
            {isInvitation ? 'Accept' : 'Set the password'}
          </Button>
        </Stack>
      </form>
    </AccountCard>
  )
}

function differing(): ApiError {
  const message = 'The two passwords are not the same.'
  return new ApiError({ code: 'passwords_differ', status: 0, message })
}
