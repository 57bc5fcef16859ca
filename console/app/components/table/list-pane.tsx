import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTexts } from '../../ui/texts.ts'
import { Action } from '../controls/action.tsx'
import { Pane } from '../pane.tsx'
import { List, type ListProps } from './list.tsx'

type Props<Item> = Omit<ListProps<Item>, 'items'> & {
  readonly title: string
  readonly query: UseQueryResult<readonly Item[]>
  /** The text of the button beside the title, and what it does; `false` if the role may not. */
  readonly add?: readonly [text: string, open: () => void] | false
  /** Stands beside the title in place of such a button. */
  readonly aside?: ReactNode
  readonly tools?: ReactNode
  /** So many items are shown; others only say that there are more. */
  readonly most?: number
  /** Between the tools and the list. */
  readonly above?: ReactNode
  /** The actions of an item, in a last column; `false` if the role has none. */
  readonly actions?: ((item: Item) => ReactNode) | false
  /** Below the list: dialogs that actions open. */
  readonly children?: ReactNode
}

/** A list that is read, in a pane, with the button that adds to it. */
export function ListPane<Item>(props: Props<Item>) {
  const { title, query, add, aside, tools, most, above, columns, actions, children, ...rest } =
    props
  const t = useTexts()
  const button = add && <Action text={add[0]} icon="plus" main onClick={add[1]} />
  const all = [...columns, actions ? ([t.actions, actions] as const) : (false as const)]
  return (
    <Pane {...{ title, query, tools }} aside={button || aside}>
      {(items) => (
        <>
          {above}
          <List items={items.slice(0, most)} columns={all} {...rest} />
          {children}
        </>
      )}
    </Pane>
  )
}
