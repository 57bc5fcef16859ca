import type { ReactNode } from 'react'
import styles from './line.module.css'

/** Things in a row, with room between them; `ends` puts them at both ends. */
export function Line({ children, ends = false }: { children: ReactNode; ends?: boolean }) {
  return <span className={ends ? styles.ends : styles.line}>{children}</span>
}

/** A line that matters less. */
export function Faint({ children }: { readonly children: ReactNode }) {
  return <span className={styles.faint}>{children}</span>
}
