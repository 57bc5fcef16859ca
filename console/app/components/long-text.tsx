import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { defineTexts, useTexts } from '../ui/texts.ts'
import styles from './long-text.module.css'

const texts = defineTexts({
  empty: ['empty', 'leer'],
  less: ['less', 'weniger'],
  all: (length: number) => [`all ${length} characters`, `alle ${length} Zeichen`],
})

const charsShown = 72

/** A text of a device; a long one is shown in full on request. */
export function LongText({ text }: { readonly text: string }) {
  const t = useTexts(texts)
  const [isWhole, setWhole] = useState(false)
  if (text === '') return <span className={styles.empty}>{t.empty}</span>
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
          {isWhole ? t.less : t.all(text.length)}
        </UnstyledButton>
      )}
    </span>
  )
}
