import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import choices from './choices.module.css'
import { NextStep } from './next-step.tsx'
import { Pane } from './pane.tsx'
import styles from './panes.module.css'

type Props<Item> = {
  readonly title: string
  readonly query: UseQueryResult<readonly Item[]>
  readonly aside?: ReactNode
  readonly tools?: ReactNode
  /** Shown in the place of the list if it is empty. */
  readonly none: string
  readonly itemKey: (item: Item) => string
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
  readonly children: (item: Item) => ReactNode
  /** The title of the chosen item and what is shown of it, in a pane beside the list. */
  readonly of?: (item: Item) => readonly [title: string, shown: ReactNode]
  /** A pane of the caller's own in its place. */
  readonly beside?: ReactNode
}

/** A list that was read, of which one item is chosen, and that item beside it. */
export function ChoicePane<Item>(props: Props<Item>) {
  const { title, query, aside, tools, none, itemKey, chosen, onChoose, children, of, beside } =
    props
  const item = query.data?.find((one) => itemKey(one) === chosen)
  const shown = item && of?.(item)
  return (
    <div className={`${styles.panes} ${styles.two}`}>
      <Pane {...{ title, query, aside, tools }}>
        {(items) =>
          items.length === 0 ? (
            <NextStep>{none}</NextStep>
          ) : (
            <Choices label={title} {...{ items, itemKey, chosen, onChoose }}>
              {children}
            </Choices>
          )
        }
      </Pane>
      {shown && (
        <Pane key={chosen} title={shown[0]} query={query}>
          {() => shown[1]}
        </Pane>
      )}
      {beside}
    </div>
  )
}

type ChoicesProps<Item> = {
  readonly label: string
  readonly items: readonly Item[]
  readonly itemKey: (item: Item) => string
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
  readonly children: (item: Item) => ReactNode
}

/** A list of which one item is chosen; each is a button, so that keys reach it. */
export function Choices<Item>({
  label,
  items,
  itemKey,
  chosen,
  onChoose,
  children,
}: ChoicesProps<Item>) {
  return (
    <ul className={choices.list} aria-label={label}>
      {items.map((item) => {
        const key = itemKey(item)
        return (
          <li key={key}>
            <button
              type="button"
              className={choices.choice}
              aria-current={key === chosen}
              onClick={() => onChoose(key)}
            >
              {children(item)}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
