import type { ReactNode } from 'react'
import styles from './choices.module.css'

type Props<Item> = {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
  readonly children: (item: Item) => ReactNode
}

/** A list of which one item is chosen; each is a button, so that keys reach it. */
export function Choices<Item>({ label, items, keyOf, chosen, onChoose, children }: Props<Item>) {
  return (
    <ul className={styles.list} aria-label={label}>
      {items.map((item) => {
        const key = keyOf(item)
        return (
          <li key={key}>
            <button
              type="button"
              className={styles.choice}
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
