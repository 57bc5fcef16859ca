import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { signOut as endSession } from '../api/people/sessions.ts'
import { Icon } from '../components/icon.tsx'
import { hasCode } from '../ui/errors.ts'
import { useSignedIn } from '../ui/session.tsx'
import {
  defineTexts,
  type Language,
  languages,
  setLanguage,
  useLanguage,
  useTexts,
} from '../ui/texts.ts'
import { AccountButton } from './account-button.tsx'
import styles from './account-menu.module.css'

const texts = defineTexts({
  theme: ['Theme', 'Farben'],
  auto: ['As the system', 'Wie das System'],
  light: ['Light', 'Hell'],
  dark: ['Dark', 'Dunkel'],
  language: ['Language', 'Sprache'],
  account: ['My account', 'Mein Konto'],
  signOut: ['Sign out', 'Abmelden'],
  sessionStays: [
    'You are signed out here, but the server was out of reach: the session there ends by itself.',
    'Hier sind Sie abgemeldet; der Server war nicht erreichbar, dort läuft die Sitzung ab.',
  ],
})

const schemes: readonly MantineColorScheme[] = ['auto', 'light', 'dark']

/** The theme, the language and the sign-out; open when it appears. */
export function AccountList() {
  const t = useTexts(texts)
  const { client, email, caller, signOut } = useSignedIn()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const language = useLanguage()
  const [isOpen, setOpen] = useState(true)

  /** Here at first: whatever is read while the server ends the session would be refused. */
  async function leave(): Promise<void> {
    signOut()
    try {
      await endSession(client)
    } catch (error) {
      if (!hasCode(error, 'unknown_credential')) signOut(t.sessionStays)
    }
  }

  return (
    <Menu position="bottom-end" width={240} opened={isOpen} onChange={setOpen} withinPortal>
      <Menu.Target>
        <AccountButton email={email} isOpen={isOpen} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={styles.business}>{caller.business.name}</Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<Icon name="user" />}>
          {t.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t.theme}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        >
          {schemes.map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {t[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t.language}</Menu.Label>
        <Menu.RadioGroup value={language} onChange={(tag) => setLanguage(tag as Language)}>
          {Object.entries(languages).map(([tag, name]) => (
            <Menu.RadioItem key={tag} value={tag}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={leave}>
          {t.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
