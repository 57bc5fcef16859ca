import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Choices } from './choices.tsx'
import { NextStep } from './next-step.tsx'
import { Pane } from './pane.tsx'

type Props<Item> = {
  readonly title: string
  readonly query: UseQueryResult<readonly Item[]>
  readonly aside?: ReactNode
  readonly tools?: ReactNode
  /** Shown in the place of the list if it is empty. */
  readonly none: string
  readonly keyOf: (item: Item) => string
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
  readonly children: (item: Item) => ReactNode
}

/** A list that was read, of which one item is chosen. */
export function ChoicePane<Item>(props: Props<Item>) {
  const { title, query, aside, tools, none, keyOf, chosen, onChoose, children } = props
  return (
    <Pane {...{ title, query, aside, tools }}>
      {(items) =>
        items.length === 0 ? (
          <NextStep>{none}</NextStep>
        ) : (
          <Choices label={title} {...{ items, keyOf, chosen, onChoose }}>
            {children}
          </Choices>
        )
      }
    </Pane>
  )
}
