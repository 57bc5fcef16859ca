import type { components, operations } from '@millrace/client'
import { get, patch, post, put, remove } from '../endpoint.ts'

/** An open session of the caller. */
export type OpenSession = components['schemas']['Session']

/** The second step of the caller's sign-ins. */
export type SecondStep = operations['getTotp']['responses'][200]['content']['application/json']

/** Sets another password, and ends all sessions. */
export const changePassword = put('/api:1/password')

export const readSecondStep = get('/api:1/totp')

/** Begins to set up a second step; a first code confirms it. */
export const enrol = post('/api:1/totp')

/** @returns the recovery codes, which cannot be read again. */
export const confirmSecondStep = put('/api:1/totp', 'recovery_codes')

/** @returns new recovery codes in place of all before. */
export const renewRecoveryCodes = post('/api:1/totp/recovery-codes', 'recovery_codes')

export const removeSecondStep = post('/api:1/totp/removal')

/** Newest first. */
export const listSessions = get('/api:1/sessions', 'sessions')

export const endSession = remove('/api:1/sessions/{session}')

/** Ends all sessions of the caller, this one, too. */
export const endAllSessions = remove('/api:1/sessions')

/** The preferences of the caller, in each browser. */
export type Preferences = components['schemas']['Preferences']

/** The units in which values are shown, where they are not those of their signals. */
export type PreferredUnits = Preferences['units'][string]

export const readPreferences = get('/api:1/preferences')

/** A unit that is null becomes that of the signals; fields that are left out stay. */
export const changePreferences = patch('/api:1/preferences')
