import type { ReactNode } from 'react'
import styles from './table.module.css'

type Props = {
  /** The head of each column; the last one is for ages. */
  readonly heads: readonly string[]
  /** The layout of a row in a narrow pane: values below one another, or side by side. */
  readonly narrow: 'stacked' | 'paired'
  readonly children: ReactNode
}

/** Rows are `tr` with a `td` a column; a `data-label` names a cell where its pane is narrow. */
export function Table({ heads, narrow, children }: Props) {
  return (
    <table className={`${styles.table} ${styles[narrow]}`}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
