import { PageHead } from '../../components/page-head.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { NotificationsView } from './notifications-view.tsx'

const texts = defineTexts({ title: 'Solutions' }, { de: { title: 'Lösungen' } })

/** All solutions, and what the chosen one has sent. */
export function SolutionsPage() {
  const t = useTexts(texts)
  return (
    <>
      <PageHead title={t.title} />
      <NotificationsView />
    </>
  )
}
