import { Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import styles from './page-head.module.css'

type Props = {
  readonly title: string
  /** Beside the title: a status, the actions. */
  readonly children?: ReactNode
}

/** The title of a page, which is that of the browser's tab, too. */
export function PageHead({ title, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Millrace`
  }, [title])
  return (
    <div className={styles.head}>
      <Title order={1} size="h3" className={styles.title}>
        {title}
      </Title>
      {children}
    </div>
  )
}
