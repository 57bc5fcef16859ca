import { Anchor, Button, Code, Stack, Text, TextInput } from '@mantine/core'
import type { Enrolment } from '../../api/people/sessions.ts'
import { readText, useSubmit } from '../../ui/submit.ts'
import { useTexts } from '../../ui/texts.ts'
import styles from './account-card.module.css'
import { AccountCard } from './account-card.tsx'
import { signingInTexts } from './texts.ts'

type Props = {
  /** The secret for the app, if the business demands a second step that is not set up yet. */
  readonly enrolment: Enrolment | undefined
  readonly onCode: (code: string) => Promise<void>
  readonly onBack: () => void
}

/** Asks for a code of the second step. */
export function SecondStep({ enrolment, onCode, onBack }: Props) {
  const t = useTexts(signingInTexts)
  const { error, isBusy, submit } = useSubmit((form) => onCode(readText(form, 'code')))
  const isNew = enrolment !== undefined
  return (
    <AccountCard title={isNew ? t.setUpStep : t.secondStep} error={error}>
      <form onSubmit={submit}>
        <Stack>
          {isNew && <EnrolmentText enrolment={enrolment} />}
          <TextInput
            label={t.code}
            description={isNew ? t.newCodeHint : t.codeHint}
            name="code"
            autoComplete="one-time-code"
            inputMode={isNew ? 'numeric' : 'text'}
            required
            withAsterisk={false}
            data-autofocus
            autoFocus
          />
          <Button type="submit" loading={isBusy} fullWidth>
            {isNew ? t.confirm : t.signIn}
          </Button>
        </Stack>
      </form>
      <Anchor component="button" type="button" size="sm" mt="lg" onClick={onBack}>
        {t.other}
      </Anchor>
    </AccountCard>
  )
}

function EnrolmentText({ enrolment: { secret, uri } }: { readonly enrolment: Enrolment }) {
  const t = useTexts(signingInTexts)
  return (
    <>
      <Text size="sm">
        {t.demanded} <Anchor href={uri}>{t.openApp}</Anchor>
        {t.orType}
      </Text>
      <Code block className={styles.secret} aria-label={t.key}>
        {secret.match(/.{1,4}/g)?.join(' ')}
      </Code>
    </>
  )
}

type CodesProps = { readonly codes: readonly string[]; readonly onSeen: () => void }

/** Shows the recovery codes, which cannot be shown again. */
export function RecoveryCodes({ codes, onSeen }: CodesProps) {
  const t = useTexts(signingInTexts)
  return (
    <AccountCard title={t.keep}>
      <Stack>
        <Text size="sm">{t.once}</Text>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <Code>{code}</Code>
            </li>
          ))}
        </ul>
        <Button onClick={onSeen} fullWidth>
          {t.kept}
        </Button>
      </Stack>
    </AccountCard>
  )
}
