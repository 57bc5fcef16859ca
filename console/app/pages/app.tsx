import { QueryClientProvider } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { createPageClient } from '../api/client.ts'
import { setServerTime } from '../ui/clock.ts'
import { createQueries } from '../ui/live.ts'
import { type Session, type Sessions, SignedInProvider } from '../ui/session.tsx'
import { OverviewPage } from './overview-page.tsx'
import { SignInPage } from './sign-in-page.tsx'

type Props = { readonly sessions: Sessions; readonly origin: string }

/** The page for whoever is signed in, or the one to sign in. */
export function App({ sessions, origin }: Props) {
  const { session, ended } = useSyncExternalStore(sessions.subscribe, sessions.current)
  if (session === undefined) {
    return <SignInPage origin={origin} notice={ended} onSignedIn={sessions.begin} />
  }
  return <SignedIn key={session.token} session={session} sessions={sessions} origin={origin} />
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
