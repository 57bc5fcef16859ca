import { Paper, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { changePassword } from '../../api/people/own-account.ts'
import { Action } from '../../components/controls/action.tsx'
import { Heading } from '../../components/controls/heading.tsx'
import { Faint } from '../../components/line.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useMay, useSignedIn } from '../../ui/session.tsx'
import { useSubmit } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './account.module.css'
import { SecondStepPane } from './second-step-pane.tsx'
import { SessionsPane } from './sessions-pane.tsx'
import { accountTexts } from './texts.ts'
import { UnitsPane } from './units-pane.tsx'

const texts = defineTexts({
  password: ['Password', 'Passwort'],
  about: [
    'A new password ends all your sessions: you sign in with it again.',
    'Ein neues Passwort beendet alle Ihre Sitzungen: Sie melden sich damit neu an.',
  ],
  present: ['Password until now', 'Bisheriges Passwort'],
  next: ['New password', 'Neues Passwort'],
  again: ['New password, again', 'Neues Passwort, noch einmal'],
  needed: ['This is needed.', 'Diese Angabe fehlt.'],
  differ: ['The two passwords are not the same.', 'Die beiden Passwörter sind nicht gleich.'],
  change: ['Change the password', 'Passwort ändern'],
  changed: [
    'Your password is changed. Sign in with it.',
    'Ihr Passwort ist geändert. Melden Sie sich damit an.',
  ],
})

/** The own account: its password, its second step, its preferred units and its sessions. */
export function AccountPage() {
  const t = useTexts(accountTexts)
  const { email } = useSignedIn()
  const maySeeAssets = useMay('View Asset')
  return (
    <>
      <PageHead title={t.title}>
        <Faint inline>{email}</Faint>
      </PageHead>
      <div className={styles.account}>
        <PasswordPane />
        <Stack gap="sm">
          <SecondStepPane />
          {maySeeAssets && <UnitsPane />}
        </Stack>
        <div className={styles.wide}>
          <SessionsPane />
        </div>
      </div>
    </>
  )
}

type Faults = { readonly [field in 'present' | 'password' | 'again']?: string | undefined }

function PasswordPane() {
  const t = useTexts(texts)
  const { client, signOut } = useSignedIn()
  const [faults, setFaults] = useState<Faults>({})
  const { error, isBusy, submit } = useSubmit(async (form) => {
    const [present, password, again] = ['present', 'password', 'again'].map(
      (name) => `${form.get(name)}`,
    )
    const found: Faults = {
      present: present === '' ? t.needed : undefined,
      password: password === '' ? t.needed : undefined,
      again: again === password ? undefined : t.differ,
    }
    setFaults(found)
    if (Object.values(found).some((fault) => fault !== undefined)) return
    await changePassword(client, { present: present ?? '', password: password ?? '' })
    signOut(t.changed)
  })
  return (
    <Paper component="section" withBorder p="md" className={styles.pane}>
      <Heading text={t.password} mb="xs" />
      <Faint>{t.about}</Faint>
      <form onSubmit={submit}>
        <Stack gap="sm" mt="sm">
          <PasswordInput
            label={t.present}
            name="present"
            autoComplete="current-password"
            error={faults.present}
          />
          <PasswordInput
            label={t.next}
            name="password"
            autoComplete="new-password"
            error={faults.password}
          />
          <PasswordInput
            label={t.again}
            name="again"
            autoComplete="new-password"
            error={faults.again}
          />
          {error !== undefined && <Trouble error={error} />}
          <Action text={t.change} submit busy={isBusy} className={styles.button ?? ''} />
        </Stack>
      </form>
    </Paper>
  )
}
