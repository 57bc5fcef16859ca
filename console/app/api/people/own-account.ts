import { type components, type operations, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'
import { get, remove } from '../endpoint.ts'
import type { Enrolment } from './sessions.ts'

/** An open session of the caller. */
export type OpenSession = components['schemas']['Session']

/** The second step of the caller's sign-ins. */
export type SecondStep = operations['getTotp']['responses'][200]['content']['application/json']

/** Sets another password, and ends all sessions. */
export async function changePassword(
  client: Client,
  present: string,
  password: string,
): Promise<void> {
  await unwrap(client.PUT('/api:1/password', { body: { present, password } }))
}

export const readSecondStep = get('/api:1/totp')

/** Begins to set up a second step; a first code confirms it. */
export function enrol(client: Client, password: string): Promise<Enrolment> {
  return unwrap(client.POST('/api:1/totp', { body: { password } }))
}

/** @returns the recovery codes, which cannot be read again. */
export async function confirmSecondStep(client: Client, code: string): Promise<string[]> {
  return (await unwrap(client.PUT('/api:1/totp', { body: { code } }))).recovery_codes
}

/** @returns new recovery codes in place of all before. */
export async function renewRecoveryCodes(client: Client, code: string): Promise<string[]> {
  return (await unwrap(client.POST('/api:1/totp/recovery-codes', { body: { code } })))
    .recovery_codes
}

export async function removeSecondStep(client: Client, code: string): Promise<void> {
  await unwrap(client.POST('/api:1/totp/removal', { body: { code } }))
}

/** Newest first. */
export const listSessions = get('/api:1/sessions', 'sessions')

export const endSession = remove('/api:1/sessions/{session}')

/** Ends all sessions of the caller, this one, too. */
export const endAllSessions = remove('/api:1/sessions')

/** What the caller prefers, in each browser. */
export type Preferences = components['schemas']['Preferences']

/** The units in which values are shown, where they are not those of their signals. */
export type PreferredUnits = Preferences['units'][string]

export const readPreferences = get('/api:1/preferences')

/** Null: the units of the signals. What is not named stays. */
export async function preferUnits(
  client: Client,
  units: Readonly<Record<string, PreferredUnits | null>>,
): Promise<void> {
  await unwrap(client.PATCH('/api:1/preferences', { body: { units } }))
}
