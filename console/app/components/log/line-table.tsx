import type { ReactNode } from 'react'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './log-lines.module.css'

const texts = defineTexts({
  lines: ['Lines, newest first', 'Zeilen, neueste zuerst'],
})

type Props = {
  readonly heads: readonly string[]
  /** That of the column of messages, which is wide. */
  readonly message: string
  /** The rows. */
  readonly children: ReactNode
}

/** Lines of a log. No live region: screen readers could not keep up with a busy log. */
export function LineTable({ heads, message, children }: Props) {
  const t = useTexts(texts)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
    <section className={styles.scroll} aria-label={t.lines} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className={head === message ? styles.message : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
