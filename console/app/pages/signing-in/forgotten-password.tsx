import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Client } from '../../api/client.ts'
import { requestReset } from '../../api/people/sessions.ts'
import { textOf, useSubmit } from '../../ui/submit.ts'
import { AccountCard } from './account-card.tsx'

type Props = { readonly client: Client; readonly onBack: () => void }

/** Asks for a link by which a new password is set. */
export function ForgottenPassword({ client, onBack }: Props) {
  const [isSent, setSent] = useState(false)
  const { error, isBusy, submit } = useSubmit(async (form) => {
    await requestReset(client, textOf(form, 'email'))
    setSent(true)
  })
  // Whether there is such a user is not revealed.
  const notice = isSent ? 'If there is such a user, a mail with a link is on its way.' : undefined
  return (
    <AccountCard title="Set a new password" error={error} notice={notice}>
      {!isSent && (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="E-mail address"
              name="email"
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
            />
            <Button type="submit" loading={isBusy} fullWidth>
              Send a link
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component="button" type="button" size="sm" mt="lg" onClick={onBack}>
        Back to the sign-in
      </Anchor>
    </AccountCard>
  )
}
