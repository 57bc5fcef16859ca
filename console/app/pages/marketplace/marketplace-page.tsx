import { LinkAction } from '../../components/controls/link-action.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Views } from '../../components/views.tsx'
import { navigationTexts } from '../../frame/navigation.ts'
import { useTexts } from '../../ui/texts.ts'
import { ListingsView } from './listings-view.tsx'
import { ModulesView } from './modules-view.tsx'
import { ServicesView } from './services-view.tsx'
import { marketTexts } from './texts.ts'

const views = { modules: ModulesView, listings: ListingsView, services: ServicesView } as const

/** The modules that the business uses, and those that it may use. */
export function MarketplacePage() {
  const t = useTexts(marketTexts)
  const { marketplace } = useTexts(navigationTexts)
  return (
    <>
      <PageHead title={marketplace}>
        <LinkAction text={t.publish} icon="plus" main to="/marketplace/publish" />
      </PageHead>
      <Views titles={{ ...t, views: marketplace }} views={views} of={{}} />
    </>
  )
}
