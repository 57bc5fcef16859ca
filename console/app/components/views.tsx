import { Tabs } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'

type Props<Name extends string, Of extends object> = {
  /** The title of each view, and a name of the whole for screen readers. */
  readonly titles: Readonly<Record<NoInfer<Name> | 'views', string>>
  /** By their parts of the address, in order; the first one is shown if none is chosen. */
  readonly views: Readonly<Record<Name, ComponentType<Of>>>
  /** The item that each view shows. */
  readonly of: Of
  /** The view that stays, with what was edited, while another one is shown. */
  readonly kept?: NoInfer<Name>
}

/**
 * The views of a page as tabs, each with an address that ends with `/{-$view}`; only the chosen one
 * reads from the server.
 */
export function Views<Name extends string, Of extends object>(props: Props<Name, Of>) {
  const { titles, views, of, kept } = props
  const { view: chosen } = useParams({ strict: false })
  const navigate = useNavigate()
  const all = Object.entries(views) as [Name, ComponentType<Of>][]
  const shown = all.some(([name]) => name === chosen) ? chosen : all[0]?.[0]
  const open = (name: string | null) =>
    navigate({ to: '.', params: (now) => ({ ...now, view: name ?? undefined }) })
  return (
    <Tabs value={shown ?? null} onChange={open} keepMounted={false}>
      <Tabs.List aria-label={titles.views} mb="sm">
        {all.map(([name]) => (
          <Tabs.Tab key={name} value={name}>
            {titles[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {all.map(([name, View]) => (
        <Tabs.Panel key={name} value={name} keepMounted={name === kept}>
          <View {...of} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
