import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { ApiError } from '@millrace/client'
import { useEffect, useMemo, useState } from 'react'
import { type Client, createPageClient } from '../../api/client.ts'
import { takeSession } from '../../api/people/providers.ts'
import {
  type Account,
  beginSecondStep,
  type Enrolment,
  type Opened,
  signIn,
} from '../../api/people/sessions.ts'
import { hasCode } from '../../ui/errors.ts'
import { takeProviderReturn } from '../../ui/provider-return.ts'
import type { Session } from '../../ui/session.tsx'
import { textOf, useSubmit } from '../../ui/submit.ts'
import { AccountCard } from './account-card.tsx'
import { ForgottenPassword } from './forgotten-password.tsx'
import { ProviderButton } from './provider-button.tsx'
import { RecoveryCodes, SecondStep } from './second-step.tsx'

type Props = {
  readonly origin: string
  /** The reason why the last session ended; undefined after a plain sign-out. */
  readonly notice: string | undefined
  readonly onSignedIn: (session: Session) => void
}

/** What is asked next. */
type Step =
  | { readonly kind: 'password' | 'forgotten' }
  | { readonly kind: 'code'; readonly account: Account; readonly enrolment?: Enrolment }
  | { readonly kind: 'codes'; readonly session: Session; readonly codes: readonly string[] }

/** Signs in: by a password, and by a code if the user has a second step. */
export function SignInPage({ origin, notice, onSignedIn }: Props) {
  const client = useMemo(() => createPageClient({ origin }), [origin])
  const [step, setStep] = useState<Step>({ kind: 'password' })
  const [returned, setReturned] = useState(takeProviderReturn)

  useEffect(() => {
    if (returned === undefined || !('code' in returned)) return
    const failed = () => setReturned({ error: 'The sign-in is over. Try again.' })
    takeSession(client, returned.code).then(onSignedIn, failed)
  }, [client, returned, onSignedIn])

  function finish({ email }: Account, { token, recoveryCodes }: Opened): void {
    const session = { email, token }
    if (recoveryCodes === undefined) onSignedIn(session)
    else setStep({ kind: 'codes', session, codes: recoveryCodes })
  }

  async function withPassword(account: Account): Promise<void> {
    try {
      finish(account, await signIn(client, account))
    } catch (error) {
      if (hasCode(error, 'totp_required')) setStep({ kind: 'code', account })
      else if (hasCode(error, 'totp_enrolment_required')) {
        const enrolment = await beginSecondStep(client, account)
        setStep({ kind: 'code', account, enrolment })
      } else throw inWords(error, 'The e-mail address or the password is not right.')
    }
  }

  async function withCode(account: Account, code: string): Promise<void> {
    const opened = await signIn(client, account, code).catch((error: unknown) => {
      throw inWords(error, 'The code is not right, or was used before.')
    })
    finish(account, opened)
  }

  const back = () => setStep({ kind: 'password' })
  if (step.kind === 'forgotten') return <ForgottenPassword client={client} onBack={back} />
  if (step.kind === 'codes') {
    return <RecoveryCodes codes={step.codes} onSeen={() => onSignedIn(step.session)} />
  }
  if (step.kind === 'code') {
    const { account, enrolment } = step
    const onCode = (code: string) => withCode(account, code)
    return <SecondStep enrolment={enrolment} onCode={onCode} onBack={back} />
  }
  const onForgotten = () => setStep({ kind: 'forgotten' })
  const words = returned !== undefined && 'error' in returned ? returned.error : notice
  return (
    <PasswordStep
      client={client}
      notice={words}
      onAccount={withPassword}
      onForgotten={onForgotten}
    />
  )
}

type PasswordProps = {
  readonly client: Client
  readonly notice: string | undefined
  readonly onAccount: (account: Account) => Promise<void>
  readonly onForgotten: () => void
}

function PasswordStep({ client, notice, onAccount, onForgotten }: PasswordProps) {
  const { error, isBusy, submit } = useSubmit((form) =>
    onAccount({ email: textOf(form, 'email'), password: `${form.get('password')}` }),
  )
  return (
    <AccountCard title="Sign in" error={error} notice={notice}>
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
      <ProviderButton client={client} />
      <Anchor component="button" type="button" size="sm" mt="lg" onClick={onForgotten}>
        Forgot your password?
      </Anchor>
      <Text size="sm" c="dimmed" mt="xs">
        The demo prints its account when it starts.
      </Text>
    </AccountCard>
  )
}

function inWords(error: unknown, message: string): unknown {
  if (!hasCode(error, 'unknown_credential')) return error
  const { code, status } = error
  return new ApiError({ code, status, message })
}
