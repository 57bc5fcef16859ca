import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { Icon } from '../components/icon.tsx'
import styles from './account-menu.module.css'

type Props = Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & {
  readonly email: string
  readonly isOpen: boolean
}

/** The button of the account menu, which says who is signed in. */
export function AccountButton({ email, isOpen, ...rest }: Props) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="user" />}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      {...rest}
    >
      <span className={styles.email}>{email}</span>
    </Button>
  )
}
