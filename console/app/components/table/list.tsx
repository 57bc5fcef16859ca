import type { ReactNode } from 'react'
import { Faint } from '../line.tsx'
import { NextStep } from '../next-step.tsx'
import { Table } from './table.tsx'

/** The head of a column, and what stands in it for an item. */
type Column<Item> = readonly [head: string, cell: (item: Item) => ReactNode]

export type ListProps<Item> = {
  readonly items: readonly Item[]
  readonly itemKey: (item: Item) => string | number
  /** A text or an element in the place of the table if there is no item. */
  readonly none?: ReactNode
  /** True if the last column has a heading, since it is no age and no action. */
  readonly namesLast?: boolean
  /** In order; `false` for one that the role does not see. */
  readonly columns: readonly (Column<Item> | false)[]
}

/** A list as a table; in a narrow pane, heads name all values but the first and the last. */
export function List<Item>({ items, itemKey, none, namesLast, columns }: ListProps<Item>) {
  if (items.length === 0 && none !== undefined)
    return typeof none === 'string' ? <NextStep>{none}</NextStep> : none
  const shown = columns.filter((column) => column !== false)
  const isNamed = (at: number) => at > 0 && (namesLast || at < shown.length - 1)
  return (
    <Table heads={shown.map(([head]) => head)} narrow="stacked">
      {items.map((item) => (
        <tr key={itemKey(item)}>
          {shown.map(([head, cell], at) => (
            <td key={head} {...(isNamed(at) && { 'data-label': head })}>
              {cell(item)}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

type NamedProps = { readonly name: ReactNode; readonly of: ReactNode }

/** A name, and below it what is said of it, if anything is. */
export function Named({ name, of }: NamedProps) {
  return (
    <>
      {name}
      {of !== '' && <Faint>{of}</Faint>}
    </>
  )
}
