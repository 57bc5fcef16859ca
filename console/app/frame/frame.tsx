import { Burger, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { Brand } from '../components/brand.tsx'
import { Icon } from '../components/icon.tsx'
import { LiveState } from '../components/live-state.tsx'
import { Trouble } from '../components/trouble.tsx'
import { useOutage } from '../ui/outage.ts'
import { useMay, useSignedIn } from '../ui/session.tsx'
import { defineTexts, useTexts } from '../ui/texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import styles from './frame.module.css'
import { navigationTexts, type Part, parts } from './navigation.ts'
import { SearchButton } from './search-button.tsx'

const texts = defineTexts({
  navigation: ['Parts of the console', 'Bereiche der Konsole'],
  menu: ['Open the navigation', 'Navigation öffnen'],
  skip: ['Skip to the content', 'Zum Inhalt springen'],
})

/** The frame of every page. */
export function Frame() {
  const t = useTexts(texts)
  const seesDevices = useMay('Setup')
  const maySearch = useMay('View Asset') || seesDevices
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what closes it
  useEffect(close, [path])
  const isWall = useRouterState({ select: ({ location }) => isOnWall(location) })
  if (isWall) {
    return (
      <main id="content" tabIndex={-1} className={styles.wall}>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
    )
  }
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <Button component="a" href="#content" className={styles.skip} size="xs">
          {t.skip}
        </Button>
        <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t.menu} />
        <Link to="/" className={styles.home}>
          <Brand />
        </Link>
        <div className={styles.live}>
          <LiveState />
        </div>
        {maySearch && <SearchButton />}
        <AccountMenu />
      </header>
      <nav aria-label={t.navigation} className={styles.navbar} data-open={isOpen || undefined}>
        <Navigation path={path} />
      </nav>
      <main id="content" tabIndex={-1} className={styles.main}>
        <Page />
      </main>
    </div>
  )
}

/** A dashboard on a wall stands alone. */
function isOnWall({ pathname, search }: { pathname: string; search: { readonly wall?: unknown } }) {
  return pathname.startsWith('/dashboards/') && search.wall === 1
}

function Page() {
  const outage = useOutage()
  return (
    <>
      <Breadcrumbs />
      {outage !== undefined && <Trouble error={outage} isShown />}
      <Suspense>
        <Outlet />
      </Suspense>
    </>
  )
}

function Navigation({ path }: { readonly path: string }) {
  const t = useTexts(navigationTexts)
  const { permissions } = useSignedIn().caller
  const isOffered = (part: Part) =>
    part.permissions === undefined || part.permissions.some((one) => permissions.includes(one))
  return parts.filter(isOffered).map((part) => (
    <Link
      key={part.path}
      className={styles.part}
      to={part.path}
      data-active={isIn(path, part.path) || undefined}
      aria-current={isIn(path, part.path) ? 'page' : undefined}
    >
      <Icon name={part.icon} />
      {t[part.name]}
    </Link>
  ))
}

function isIn(path: string, part: string): boolean {
  return part === '/' ? path === '/' : path === part || path.startsWith(`${part}/`)
}
