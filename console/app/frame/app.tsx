import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createPageClient } from '../api/client.ts'
import { readCaller } from '../api/people/sessions.ts'
import { Trouble } from '../components/trouble.tsx'
import { setServerTime } from '../ui/clock.ts'
import { createQueries } from '../ui/live-queries.ts'
import { forgetMailLink, parseMailLink } from '../ui/mail-link.ts'
import { type Session, type Sessions, SignedInProvider } from '../ui/session.tsx'
import { defineTexts, useTexts } from '../ui/texts.ts'
import { LiveLists } from '../ui/updates/live-lists.tsx'

const LinkPage = lazy(async () => ({
  default: (await import('../pages/signing-in/link-page.tsx')).LinkPage,
}))
const SignInPage = lazy(async () => ({
  default: (await import('../pages/signing-in/sign-in-page.tsx')).SignInPage,
}))
const Pages = lazy(async () => ({ default: (await import('../router.tsx')).Pages }))

const texts = defineTexts({
  ended: [
    'Your session has ended. Sign in again.',
    'Ihre Sitzung ist beendet. Melden Sie sich wieder an.',
  ],
})

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
    return (
      <Suspense key={link.secret}>
        <LinkPage origin={origin} link={link} onDone={onDone} />
      </Suspense>
    )
  }
  if (session === undefined) {
    // A boundary of its own: what was shown to whoever was signed in ends before this page loads.
    return (
      <Suspense key="sign-in">
        <SignInPage origin={origin} notice={ended} onSignedIn={sessions.begin} />
      </Suspense>
    )
  }
  return <SignedIn key={session.token} session={session} sessions={sessions} origin={origin} />
}

/** The link in the address, also if it changes while the page is open. */
function useMailLink() {
  const [link, setLink] = useState(() => parseMailLink(window.location.hash))
  useEffect(() => {
    const look = () => setLink((before) => parseMailLink(window.location.hash) ?? before)
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  }, [])
  return [link, setLink] as const
}

/** Everything below is made anew for another session: nothing that was read outlives it. */
function SignedIn({ session, sessions, origin }: Props & { readonly session: Session }) {
  const t = useTexts(texts)
  const { token } = session
  const queries = useMemo(() => {
    // Requests from before the sign-out may be refused behind it, which is no news.
    const isCurrent = () => sessions.current().session?.token === token
    return createQueries(() => isCurrent() && sessions.end(t.ended))
  }, [sessions, token, t])
  return (
    <QueryClientProvider client={queries}>
      <WithCaller session={session} sessions={sessions} origin={origin} />
    </QueryClientProvider>
  )
}

const callerEveryMs = 60_000
const afterErrorMs = 3_000

/** The permissions of the role are read first: they decide what is shown. */
function WithCaller({ session, sessions, origin }: Props & { readonly session: Session }) {
  const { token, email } = session
  const client = useMemo(
    () => createPageClient({ origin, token, onServerTime: setServerTime }),
    [origin, token],
  )
  const { data: caller, error } = useQuery({
    queryKey: ['caller'],
    queryFn: () => readCaller(client),
    refetchInterval: ({ state }) => (state.data === undefined ? afterErrorMs : callerEveryMs),
  })
  const signedIn = useMemo(() => {
    // The reason may come when somebody has signed in again.
    const signOut = (why?: string) => {
      if ((sessions.current().session?.token ?? token) === token) sessions.end(why)
    }
    return caller && { client, email, caller, signOut }
  }, [client, token, email, caller, sessions])
  if (signedIn === undefined) return error === null ? null : <Trouble error={error} />
  return (
    <SignedInProvider value={signedIn}>
      <LiveLists>
        <Suspense>
          <Pages />
        </Suspense>
      </LiveLists>
    </SignedInProvider>
  )
}
