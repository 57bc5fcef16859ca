import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createPageClient } from '../api/client.ts'
import { setServerTime } from '../ui/clock.ts'
import { createQueries } from '../ui/live.ts'
import { forgetMailLink, mailLinkOf } from '../ui/mail-link.ts'
import { type Session, type Sessions, SignedInProvider } from '../ui/session.tsx'
import { OverviewPage } from './overview-page.tsx'
import { LinkPage } from './signing-in/link-page.tsx'
import { SignInPage } from './signing-in/sign-in-page.tsx'

type Props = { readonly sessions: Sessions; readonly origin: string }

/** The page for whoever is signed in, the one to sign in, or that of a mail's link. */
export function App({ sessions, origin }: Props) {
  const { session, ended } = useSyncExternalStore(sessions.subscribe, sessions.current)
  const [link, setLink] = useMailLink()
  if (link !== undefined) {
    const onDone = (notice: string) => {
      forgetMailLink()
      setLink(undefined)
      sessions.end(notice)
    }
    return <LinkPage key={link.secret} origin={origin} link={link} onDone={onDone} />
  }
  if (session === undefined) {
    return <SignInPage origin={origin} notice={ended} onSignedIn={sessions.begin} />
  }
  return <SignedIn key={session.token} session={session} sessions={sessions} origin={origin} />
}

/** The link in the address, also if it changes while the page is open. */
function useMailLink() {
  const [link, setLink] = useState(() => mailLinkOf(window.location.hash))
  useEffect(() => {
    const look = () => setLink((before) => mailLinkOf(window.location.hash) ?? before)
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  }, [])
  return [link, setLink] as const
}

/** Everything below is made anew for another session: nothing that was read outlives it. */
function SignedIn({ session, sessions, origin }: Props & { readonly session: Session }) {
  const { token, email } = session
  const queries = useMemo(
    () => createQueries(() => sessions.end('Your session has ended. Sign in again.')),
    [sessions],
  )
  const signedIn = useMemo(() => {
    const client = createPageClient({ origin, token, onServerTime: setServerTime })
    return { client, email }
  }, [origin, token, email])
  return (
    <QueryClientProvider client={queries}>
      <SignedInProvider value={signedIn}>
        <OverviewPage onSignedOut={sessions.end} />
      </SignedInProvider>
    </QueryClientProvider>
  )
}
