import { type components, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'
import { get, post, put } from '../endpoint.ts'

const path = '/api:1/token'

/** The account with which a person signs in. */
export type Account = { readonly email: string; readonly password: string }

/** `recoveryCodes`: those of a second step that the code has confirmed. */
export type Opened = { readonly token: string; readonly recoveryCodes?: readonly string[] }

/** Opens a session. @throws ApiError `unknown_credential`, `totp_required` and others. */
export async function signIn(client: Client, account: Account, code?: string): Promise<Opened> {
  const body = { ...account, ...(code !== undefined && { code }) }
  const { token, recovery_codes: codes } = await unwrap(client.POST(path, { body }))
  return codes === undefined ? { token } : { token, recoveryCodes: codes }
}

/** The secret that an authenticator app needs. */
export type Enrolment = { readonly secret: string; readonly uri: string }

/** The owner of a session: the business, and what the role permits. */
export type Caller = components['schemas']['Caller']

export const readCaller = get('/api:1/whoami')

/** Begins the second step that the business demands. */
export const beginSecondStep = post('/api:1/token/totp')

/** Ends the client's own session, also if the tab is closed meanwhile. */
export async function signOut(client: Client): Promise<void> {
  await unwrap(client.DELETE(path, { keepalive: true }))
}

/** Asks for a link that sets a new password. */
export const requestReset = post('/api:1/password-resets')

/** Sets a new password by the secret of a link. @throws ApiError `not_found` and others. */
export const resetPassword = put('/api:1/password-resets')

/** Makes the user of an invitation, whose e-mail address is returned. */
export const acceptInvitation = post('/api:1/invitations/accept', 'email')
