import { Anchor, Button, Code, Stack, Text, TextInput } from '@mantine/core'
import type { Enrolment } from '../../api/people/sessions.ts'
import { textOf, useSubmit } from '../../ui/submit.ts'
import styles from './account-card.module.css'
import { AccountCard } from './account-card.tsx'

type Props = {
  /** What the app needs, if the business demands a second step that is not set up yet. */
  readonly enrolment: Enrolment | undefined
  readonly onCode: (code: string) => Promise<void>
  readonly onBack: () => void
}

/** Asks for a code of the second step. */
export function SecondStep({ enrolment, onCode, onBack }: Props) {
  const { error, isBusy, submit } = useSubmit((form) => onCode(textOf(form, 'code')))
  const isNew = enrolment !== undefined
  return (
    <AccountCard title={isNew ? 'Set up a second step' : 'Second step'} error={error}>
      <form onSubmit={submit}>
        <Stack>
          {isNew && <EnrolmentText enrolment={enrolment} />}
          <TextInput
            label="Code"
            description={
              isNew
                ? 'The six digits that your app shows now.'
                : 'The six digits that your app shows, or a recovery code.'
            }
            name="code"
            autoComplete="one-time-code"
            inputMode={isNew ? 'numeric' : 'text'}
            required
            withAsterisk={false}
            data-autofocus
            autoFocus
          />
          <Button type="submit" loading={isBusy} fullWidth>
            {isNew ? 'Confirm and sign in' : 'Sign in'}
          </Button>
        </Stack>
      </form>
      <Anchor component="button" type="button" size="sm" mt="lg" onClick={onBack}>
        Use another account
      </Anchor>
    </AccountCard>
  )
}

function EnrolmentText({ enrolment: { secret, uri } }: { readonly enrolment: Enrolment }) {
  return (
    <>
      <Text size="sm">
        Your business demands a second step. Add Millrace to an app that shows codes:{' '}
        <Anchor href={uri}>open the app</Anchor>, or type this key into it.
      </Text>
      <Code block className={styles.secret} aria-label="Key for the app">
        {secret.match(/.{1,4}/g)?.join(' ')}
      </Code>
    </>
  )
}

type CodesProps = { readonly codes: readonly string[]; readonly onSeen: () => void }

/** Shows the recovery codes, which cannot be shown again. */
export function RecoveryCodes({ codes, onSeen }: CodesProps) {
  return (
    <AccountCard title="Keep your recovery codes">
      <Stack>
        <Text size="sm">
          Each of them is taken once in place of your app. They are not shown again.
        </Text>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <Code>{code}</Code>
            </li>
          ))}
        </ul>
        <Button onClick={onSeen} fullWidth>
          I have kept them
        </Button>
      </Stack>
    </AccountCard>
  )
}
