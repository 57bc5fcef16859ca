import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { NotFoundPage } from '../../components/not-found.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useSignedIn } from '../../ui/session.tsx'
import { useTexts } from '../../ui/texts.ts'
import styles from './setup.module.css'
import { setupTexts } from './texts.ts'
import { type View, views } from './views.ts'

const route = getRouteApi('/setup/{-$view}')

/** People and programs that have access, and what counts for the whole business. */
export function SetupPage() {
  const t = useTexts(setupTexts)
  const { permissions, groups } = useSignedIn().caller
  const { view } = route.useParams()
  const mine = views.filter(
    ({ needs, isWhole = false }) =>
      needs.every((needed) => permissions.includes(needed)) && (!isWhole || groups === null),
  )
  const chosen = view === undefined ? mine[0] : mine.find(({ name }) => name === view)
  if (chosen === undefined) return <NotFoundPage />
  const { Component } = chosen
  return (
    <>
      <PageHead title={`${t.title}: ${t[chosen.name]}`} />
      <div className={styles.setup}>
        <nav aria-label={t.title} className={styles.views}>
          {mine.map((one) => (
            <ViewLink key={one.name} view={one} isChosen={one === chosen} />
          ))}
        </nav>
        <div className={styles.view}>
          <Suspense>
            <Component />
          </Suspense>
        </div>
      </div>
    </>
  )
}

function ViewLink({ view, isChosen }: { readonly view: View; readonly isChosen: boolean }) {
  const t = useTexts(setupTexts)
  return (
    <Link
      to="/setup/{-$view}"
      params={{ view: view.name }}
      className={styles.link}
      aria-current={isChosen ? 'page' : undefined}
      activeProps={{}}
    >
      {t[view.name]}
    </Link>
  )
}
