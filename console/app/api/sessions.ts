import { unwrap } from '@millrace/client'
import type { Client } from './client.ts'

const path = '/api:1/token'

/** @returns the token of a new session. @throws ApiError `unknown_credential` and others. */
export async function signIn(client: Client, email: string, password: string): Promise<string> {
  const { token } = await unwrap(client.POST(path, { body: { email, password } }))
  return token
}

/** Ends the client's own session. */
export async function signOut(client: Client): Promise<void> {
  await unwrap(client.DELETE(path))
}
