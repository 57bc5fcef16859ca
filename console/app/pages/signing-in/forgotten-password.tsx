import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Client } from '../../api/client.ts'
import { requestReset } from '../../api/people/sessions.ts'
import { readText, useSubmit } from '../../ui/submit.ts'
import { useTexts } from '../../ui/texts.ts'
import { AccountCard } from './account-card.tsx'
import { signingInTexts } from './texts.ts'

type Props = { readonly client: Client; readonly onBack: () => void }

/** Asks for a link by which a new password is set. */
export function ForgottenPassword({ client, onBack }: Props) {
  const t = useTexts(signingInTexts)
  const [isSent, setSent] = useState(false)
  const { error, isBusy, submit } = useSubmit(async (form) => {
    await requestReset(client, { email: readText(form, 'email') })
    setSent(true)
  })
  // The page does not reveal whether there is such a user.
  const notice = isSent ? t.sent : undefined
  return (
    <AccountCard title={t.setNew} error={error} notice={notice}>
      {!isSent && (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label={t.email}
              name="email"
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
            />
            <Button type="submit" loading={isBusy} fullWidth>
              {t.send}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component="button" type="button" size="sm" mt="lg" onClick={onBack}>
        {t.back}
      </Anchor>
    </AccountCard>
  )
}
