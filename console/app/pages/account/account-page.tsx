import { PasswordInput, Stack } from '@mantine/core'
import { changePassword } from '../../api/people/own-account.ts'
import { Part } from '../../components/controls/part.tsx'
import { FieldsForm } from '../../components/form/fields-form.tsx'
import { Faint } from '../../components/line.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { changePasswordForm } from '../../generated/forms.ts'
import { useMay, useSignedIn } from '../../ui/session.tsx'
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

function PasswordPane() {
  const t = useTexts(texts)
  const { signOut } = useSignedIn()
  const presented = { as: PasswordInput, autoComplete: 'current-password' } as const
  const chosen = { as: PasswordInput, autoComplete: 'new-password' } as const
  return (
    <Part title={t.password}>
      <Faint>{t.about}</Faint>
      <FieldsForm
        isTall
        isBelow
        action={t.change}
        form={changePasswordForm}
        fields={[
          { ...presented, name: 'present', label: t.present },
          { ...chosen, name: 'password', label: t.next },
          {
            ...chosen,
            name: 'again',
            label: t.again,
            fault: (again, { password }) => again !== password && t.differ,
          },
        ]}
        send={async (client, body) => {
          await changePassword(client, body)
          signOut(t.changed)
        }}
      />
    </Part>
  )
}
