import { type Client, call } from './call.ts'

const path = '/api:1/token/'

/** @returns the token of a new session. @throws Problem `unknown_credential` and others. */
export async function signIn(client: Client, email: string, password: string): Promise<string> {
  const body = { email, password }
  const { token } = await call<{ readonly token: string }>(client, path, { method: 'POST', body })
  return token
}

/** Ends the client's own session. */
export async function signOut(client: Client): Promise<void> {
  await call<undefined>(client, path, { method: 'DELETE' })
}
