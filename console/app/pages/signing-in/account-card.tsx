import { Alert, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand } from '../../components/brand.tsx'
import { Icon } from '../../components/icon.tsx'
import { Trouble } from '../../components/trouble.tsx'
import styles from './account-card.module.css'

type Props = {
  readonly title: string
  readonly error?: Error | undefined
  /** A sentence above the form, unless there is an error. */
  readonly notice?: string | undefined
  readonly children: ReactNode
}

/** The card of whoever is not signed in. */
export function AccountCard({ title, error, notice, children }: Props) {
  return (
    <main className={styles.page}>
      <Paper withBorder p="xl" className={styles.card}>
        <Brand />
        <Title order={1} size="h4" mt="lg" mb="md">
          {title}
        </Title>
        {notice !== undefined && error === undefined && (
          <Alert color="gray" icon={<Icon name="info" />} mb="md" p="sm" role="status">
            <Text size="sm">{notice}</Text>
          </Alert>
        )}
        {error !== undefined && <Trouble error={error} />}
        {children}
      </Paper>
    </main>
  )
}
