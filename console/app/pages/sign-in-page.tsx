import { Alert, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { ApiError } from '@millrace/client'
import { type FormEvent, useState } from 'react'
import { createPageClient } from '../api/client.ts'
import { signIn } from '../api/sessions.ts'
import { Brand } from '../components/brand.tsx'
import { Icon } from '../components/icon.tsx'
import { Trouble } from '../components/trouble.tsx'
import { hasCode } from '../ui/errors.ts'
import type { Session } from '../ui/session.tsx'
import styles from './sign-in-page.module.css'

type Props = {
  readonly origin: string
  /** The reason why the last session ended; undefined after a plain sign-out. */
  readonly notice: string | undefined
  readonly onSignedIn: (session: Session) => void
}

export function SignInPage({ origin, notice, onSignedIn }: Props) {
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [email, password] = [`${form.get('email')}`.trim(), `${form.get('password')}`]
    setBusy(true)
    setError(undefined)
    try {
      onSignedIn({ email, token: await signIn(createPageClient({ origin }), email, password) })
    } catch (thrown) {
      setError(inWords(thrown as Error))
      setBusy(false)
    }
  }

  return (
    <main className={styles.page}>
      <Paper withBorder p="xl" className={styles.card}>
        <Brand />
        <Title order={1} size="h4" mt="lg" mb="md">
          Sign in
        </Title>
        {notice !== undefined && error === undefined && (
          <Alert color="gray" icon={<Icon name="info" />} mb="md" p="sm" role="status">
            <Text size="sm">{notice}</Text>
          </Alert>
        )}
        {error !== undefined && <Trouble error={error} />}
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
            <PasswordInput
              label="Password"
              name="password"
              autoComplete="current-password"
              required
              withAsterisk={false}
            />
            <Button type="submit" loading={isBusy} fullWidth>
              Sign in
            </Button>
          </Stack>
        </form>
        <Text size="sm" c="dimmed" mt="lg">
          The demo prints its account when it starts.
        </Text>
      </Paper>
    </main>
  )
}

function inWords(error: Error): Error {
  if (!hasCode(error, 'unknown_credential')) return error
  const { code, status } = error
  const message = 'The e-mail address or the password is not right.'
  return new ApiError({ code, status, message })
}
