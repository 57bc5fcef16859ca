import { Button, Title } from '@mantine/core'
import { useState } from 'react'
import { signOut } from '../api/sessions.ts'
import { Brand } from '../components/brand.tsx'
import { Icon } from '../components/icon.tsx'
import { LiveState } from '../components/live-state.tsx'
import { Trouble } from '../components/trouble.tsx'
import { hasCode } from '../ui/errors.ts'
import { useOutage } from '../ui/outage.ts'
import { useSignedIn } from '../ui/session.tsx'
import { AssetsSection } from './assets-section.tsx'
import { DevicesSection } from './devices-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import styles from './overview-page.module.css'

const sessionStays =
  'You are signed out here, but the server could not be reached: the session there ends by itself.'

type Props = { readonly onSignedOut: (why?: string) => void }

/** The one page: devices and their values, assets and their status, and notifications. */
export function OverviewPage({ onSignedOut }: Props) {
  const outage = useOutage()
  return (
    <>
      <header className={styles.header}>
        <Brand />
        <LiveState />
        <Account onSignedOut={onSignedOut} />
      </header>
      <main className={styles.main}>
        <Title order={1} className={styles.unseen}>
          Millrace: devices, assets and notifications
        </Title>
        {outage !== undefined && <Trouble error={outage} isShown />}
        <DevicesSection />
        <AssetsSection />
        <NotificationsSection />
      </main>
    </>
  )
}

function Account({ onSignedOut }: Props) {
  const { client, email } = useSignedIn()
  const [isBusy, setBusy] = useState(false)

  async function leave(): Promise<void> {
    setBusy(true)
    try {
      await signOut(client)
      onSignedOut()
    } catch (error) {
      const isGone = hasCode(error, 'unknown_credential')
      onSignedOut(isGone ? undefined : sessionStays)
    }
  }

  return (
    <div className={styles.account}>
      <span className={styles.email}>{email}</span>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="signOut" />}
        loading={isBusy}
        onClick={leave}
      >
        Sign out
      </Button>
    </div>
  )
}
