import { AppShell, Burger, Button, NavLink, ScrollArea } from '@mantine/core'
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

const texts = defineTexts(
  { navigation: 'Parts of the console', menu: 'Open the navigation', skip: 'Skip to the content' },
  {
    de: {
      navigation: 'Bereiche der Konsole',
      menu: 'Navigation öffnen',
      skip: 'Zum Inhalt springen',
    },
  },
)

/** What surrounds every page. */
export function Frame() {
  const t = useTexts(texts)
  const seesDevices = useMay('Setup')
  const maySearch = useMay('View Asset') || seesDevices
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what closes it
  useEffect(close, [path])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <AppShell.Header className={styles.header}>
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
      </AppShell.Header>
      <AppShell.Navbar aria-label={t.navigation} className={styles.navbar}>
        <ScrollArea>
          <Navigation path={path} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={styles.main}>
        <Page />
      </AppShell.Main>
    </AppShell>
  )
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
  return parts
    .filter(isOffered)
    .map((part) => (
      <NavLink
        key={part.path}
        className={styles.part}
        component={Link}
        to={part.path}
        label={t[part.name]}
        leftSection={<Icon name={part.icon} />}
        active={isIn(path, part.path)}
        aria-current={isIn(path, part.path) ? 'page' : undefined}
      />
    ))
}

function isIn(path: string, part: string): boolean {
  return part === '/' ? path === '/' : path === part || path.startsWith(`${part}/`)
}
