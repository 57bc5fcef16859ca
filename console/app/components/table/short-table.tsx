import type { ReactNode } from 'react'
import styles from './short-table.module.css'

export type TableProps = {
  /** The head of each column; the last one is for ages. */
  readonly heads: readonly string[]
  /** The layout of a row in a narrow pane: values below one another, or side by side. */
  readonly narrow: 'stacked' | 'paired'
  readonly children: ReactNode
}

/**
 * A table of few rows, for the first page; others use `Table`. Rows are `tr` with a `td` a column;
 * a `data-label` names a cell where its pane is narrow.
 */
export function ShortTable({ heads, narrow, children }: TableProps) {
  return (
    <table className={tableClass(narrow)}>
      <TableHead heads={heads} />
      <tbody>{children}</tbody>
    </table>
  )
}

export const tableClass = (narrow: TableProps['narrow']) => `${styles.table} ${styles[narrow]}`

export function TableHead({ heads }: Pick<TableProps, 'heads'>) {
  return (
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
  )
}
