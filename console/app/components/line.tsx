import type { ReactNode } from 'react'
import styles from './line.module.css'

/** Things in a row, with room between them; `ends` puts them at both ends. */
export function Line({ children, ends = false }: { children: ReactNode; ends?: boolean }) {
  return <span className={ends ? styles.ends : styles.line}>{children}</span>
}

type FaintProps = { readonly children: ReactNode; readonly inline?: boolean }

/** Secondary text: a line of it, or a word in a line. */
export function Faint({ children, inline = false }: FaintProps) {
  return <span className={inline ? styles.word : styles.faint}>{children}</span>
}
