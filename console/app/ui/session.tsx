import { createContext, useContext } from 'react'
import type { Client } from '../api/client.ts'
import type { Shell } from './curl.ts'

/** Who is signed in, in this tab. */
export type Session = { readonly token: string; readonly email: string }

/** The session, or none and why it ended. */
export type SessionState = { readonly session?: Session; readonly ended?: string }

export type Sessions = ReturnType<typeof createSessions>

const key = 'millrace.session'

/** Keeps the session until the tab is closed: a reload finds it, another tab does not. */
export function createSessions(storage: Storage) {
  const listeners = new Set<() => void>()
  let state: SessionState = read(storage)

  function become(next: SessionState): void {
    state = next
    for (const listener of listeners) listener()
  }

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

const SignedIn = createContext<{ readonly client: Client; readonly email: string } | null>(null)

export const SignedInProvider = SignedIn.Provider

/** Returns the client of the session; only below `SignedInProvider`. */
export function useSignedIn() {
  const signedIn = useContext(SignedIn)
  if (signedIn === null) throw new Error('nobody is signed in here')
  return signedIn
}

/** Returns the parts of the commands that the page shows. */
export function useShell(): Shell {
  const { client, email } = useSignedIn()
  return { origin: client.url, email }
}
