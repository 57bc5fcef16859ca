import { ActionIcon, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { defineTexts, useTexts } from '../ui/texts.ts'

const texts = defineTexts({
  of: (name: string) => [`Actions for ${name}`, `Aktionen für ${name}`],
})

/** The actions of a row, as items of a menu. */
export function RowMenu({
  name,
  children,
}: {
  readonly name: string
  readonly children: ReactNode
}) {
  const t = useTexts(texts)
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="sm" aria-label={t.of(name)}>
          <span aria-hidden="true">⋯</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
