import { Children } from 'react'
import { ShortTable, TableHead, type TableProps, tableClass } from './short-table.tsx'
import styles from './table.module.css'

/** A table with more rows is laid out and painted where it is in sight, in blocks of rows. */
const shortMax = 100
const blockRows = 10

/** A table of any length; its rows are those of `ShortTable`. */
export function Table({ heads, narrow, children }: TableProps) {
  const rows = Children.toArray(children)
  if (rows.length <= shortMax) return <ShortTable {...{ heads, narrow, children }} />
  const blocks = Map.groupBy(rows, (_, at) => Math.floor(at / blockRows))
  return (
    <table
      ref={(table) => numberRows(table)}
      className={`${tableClass(narrow)} ${styles.long}`}
      aria-rowcount={rows.length + 1}
    >
      <TableHead heads={heads} />
      {[...blocks].map(([at, block]) => (
        <tbody key={at}>{block}</tbody>
      ))}
    </table>
  )
}

/** For screen readers: browsers leave out rows that they have not laid out. */
function numberRows(table: HTMLTableElement | null): void {
  let index = 0
  for (const row of table?.rows ?? []) {
    index += 1
    row.setAttribute('aria-rowindex', String(index))
  }
}
