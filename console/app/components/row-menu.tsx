import { ActionIcon, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { defineTexts, useTexts } from '../ui/texts.ts'

const texts = defineTexts({
  of: (name: string) => [`Actions for ${name}`, `Aktionen für ${name}`],
})

/** Its text, and what it does, or the address that it opens. */
type Item = readonly [text: string, work: (() => void) | string]

type Props = {
  readonly name: string
  /** In order; `false` for one that is not offered now. */
  readonly items: readonly (Item | 'line' | false)[]
  /** Items of their own kind, above the others. */
  readonly children?: ReactNode
}

/** The actions of a row, as items of a menu. */
export function RowMenu({ name, items, children }: Props) {
  const t = useTexts(texts)
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="sm" aria-label={t.of(name)}>
          <span aria-hidden="true">⋯</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        {items.map((item) => {
          if (item === false) return null
          if (item === 'line') return <Menu.Divider key="line" />
          const [text, work] = item
          const does = typeof work === 'string' ? { component: Link, to: work } : { onClick: work }
          return (
            <Menu.Item key={text} {...does}>
              {text}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
