import { Button, Tabs } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Icon } from '../../components/icon.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { navigationTexts } from '../../frame/navigation.ts'
import { useTexts } from '../../ui/texts.ts'
import { ListingsView } from './listings-view.tsx'
import { ModulesView } from './modules-view.tsx'
import { ServicesView } from './services-view.tsx'
import { marketTexts } from './texts.ts'

const views = [
  { view: 'modules', View: ModulesView },
  { view: 'listings', View: ListingsView },
  { view: 'services', View: ServicesView },
] as const

const route = getRouteApi('/marketplace/{-$view}')

/** The modules that the business uses, and those that it may use. */
export function MarketplacePage() {
  const t = useTexts(marketTexts)
  const { marketplace } = useTexts(navigationTexts)
  const { view } = route.useParams()
  const navigate = useNavigate()
  const chosen = views.find((one) => one.view === view) ?? views[0]
  const open = (next: string | null) =>
    navigate({ to: '/marketplace/{-$view}', params: { view: next ?? undefined } })
  return (
    <>
      <PageHead title={marketplace}>
        <Button
          renderRoot={(props) => <Link to="/marketplace/publish" {...props} />}
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
        >
          {t.publish}
        </Button>
      </PageHead>
      <Tabs value={chosen.view} onChange={open} keepMounted={false}>
        <Tabs.List aria-label={marketplace} mb="sm">
          {views.map((one) => (
            <Tabs.Tab key={one.view} value={one.view}>
              {t[one.view]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {views.map(({ view: name, View }) => (
          <Tabs.Panel key={name} value={name}>
            <View />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
