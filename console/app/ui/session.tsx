import { createContext, useContext } from 'react'
import type { Client } from '../api/client.ts'
import type { Caller } from '../api/people/sessions.ts'
import type { Shell } from './curl.ts'

/** The account that is signed in, in this browser. */
export type Session = { readonly token: string; readonly email: string }

/** The session, or none and why it ended. */
export type SessionState = { readonly session?: Session; readonly ended?: string }

export type Sessions = ReturnType<typeof createSessions>

const key = 'millrace.session'

/** Keeps the session until the sign-out, for all tabs of this browser. */
export function createSessions(storage: Storage) {
  const listeners = new Set<() => void>()
  let state: SessionState = read(storage)

  function become(next: SessionState): void {
    state = next
    for (const listener of listeners) listener()
  }

  // Another tab has signed in or out.
  window.addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    const next = read(storage)
    if (next.session?.token !== state.session?.token) become(next)
  })

  return {
    current: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    begin(session: Session): void {
      storage.setItem(key, JSON.stringify(session))
      become({ session })
    },
    /** @param why a sentence for the page of the next sign-in. */
    end(why?: string): void {
      storage.removeItem(key)
      become(why === undefined ? {} : { ended: why })
    },
  }
}

function read(storage: Storage): SessionState {
  try {
    const { token, email } = JSON.parse(storage.getItem(key) ?? '{}') as Partial<Session>
    return token === undefined || email === undefined ? {} : { session: { token, email } }
  } catch {
    // Not ours, or of an older console: sign in again.
    return {}
  }
}

type SignedIn = {
  readonly client: Client
  readonly email: string
  readonly caller: Caller
  readonly signOut: (why?: string) => void
}

const SignedInContext = createContext<SignedIn | null>(null)

export const SignedInProvider = SignedInContext.Provider

/** Returns the client of the session; only below `SignedInProvider`. */
export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext)
  if (signedIn === null) throw new Error('nobody is signed in here')
  return signedIn
}

/**
 * Returns whether the caller's role has the permission: actions that it may not do are not shown.
 */
export function useMay(permission: string): boolean {
  return useSignedIn().caller.permissions.includes(permission)
}

/** Returns the parts of the commands that the page shows. */
export function useShell(): Shell {
  const { client, email } = useSignedIn()
  return { origin: client.url, email }
}
