import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  /** A name of the whole, for screen readers. */
  readonly label: string
  /** In order; the first one is shown if none has the chosen name. */
  readonly views: readonly {
    /** The part of the address. */
    readonly name: string
    readonly title: string
    readonly content: ReactNode
  }[]
  readonly chosen: string | undefined
  readonly onOpen: (name: string | undefined) => void
}

/** The views of a page as tabs, each with an address; only the chosen one reads from the server. */
export function Views({ label, views, chosen, onOpen }: Props) {
  const shown = views.find(({ name }) => name === chosen) ?? views[0]
  return (
    <Tabs
      value={shown?.name ?? null}
      onChange={(name) => onOpen(name ?? undefined)}
      keepMounted={false}
    >
      <Tabs.List aria-label={label} mb="sm">
        {views.map(({ name, title }) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {views.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
