import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import styles from './long-text.module.css'

const charsShown = 72

/** A text of a device; a long one is shown in full on request. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text === '') return <span className={styles.empty}>empty</span>
  const isLong = text.length > charsShown
  return (
    <span className={styles.text}>
      {isLong && !isWhole ? `${text.slice(0, charsShown)}…` : text}
      {isLong && (
        <UnstyledButton
          className={styles.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'less' : `all ${text.length} characters`}
        </UnstyledButton>
      )}
    </span>
  )
}
