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
import { readText, useSubmit } from '../../ui/submit.ts'
import { useTexts } from '../../ui/texts.ts'
import { AccountCard } from './account-card.tsx'
import { ForgottenPassword } from './forgotten-password.tsx'
import { ProviderButton } from './provider-button.tsx'
import { RecoveryCodes, SecondStep } from './second-step.tsx'
import { signingInTexts } from './texts.ts'

type Props = {
  readonly origin: string
  /** The reason why the last session ended; undefined after a plain sign-out. */
  readonly notice: string | undefined
  readonly onSignedIn: (session: Session) => void
}

/** The next question. */
type Step =
  | { readonly kind: 'password' | 'forgotten' }
  | { readonly kind: 'code'; readonly account: Account; readonly enrolment?: Enrolment }
  | { readonly kind: 'codes'; readonly session: Session; readonly codes: readonly string[] }

/** Signs in: by a password, and by a code if the user has a second step. */
export function SignInPage({ origin, notice, onSignedIn }: Props) {
  const t = useTexts(signingInTexts)
  const client = useMemo(() => createPageClient({ origin }), [origin])
  const [step, setStep] = useState<Step>({ kind: 'password' })
  const [returned, setReturned] = useState(takeProviderReturn)

  useEffect(() => {
    if (returned === undefined || !('code' in returned)) return
    const failed = () => setReturned({ fault: 'over' })
    takeSession(client, { code: returned.code }).then(onSignedIn, failed)
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
      } else throw inWords(error, t.wrongPassword)
    }
  }

  async function withCode(account: Account, code: string): Promise<void> {
    const opened = await signIn(client, account, code).catch((error: unknown) => {
      throw inWords(error, t.wrongCode)
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
  const words = returned !== undefined && 'fault' in returned ? t[returned.fault] : notice
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
  const t = useTexts(signingInTexts)
  const { error, isBusy, submit } = useSubmit((form) =>
    onAccount({ email: readText(form, 'email'), password: `${form.get('password')}` }),
  )
  return (
    <AccountCard title={t.signIn} error={error} notice={notice}>
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
          <PasswordInput
            label={t.password}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={isBusy} fullWidth>
            {t.signIn}
          </Button>
        </Stack>
      </form>
      <ProviderButton client={client} />
      <Anchor component="button" type="button" size="sm" mt="lg" onClick={onForgotten}>
        {t.forgotten}
      </Anchor>
      <Text size="sm" c="dimmed" mt="xs">
        {t.demo}
      </Text>
    </AccountCard>
  )
}

function inWords(error: unknown, message: string): unknown {
  if (!hasCode(error, 'unknown_credential')) return error
  const { code, status } = error
  return new ApiError({ code, status, message })
}
