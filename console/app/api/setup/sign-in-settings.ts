import type { components } from '@millrace/client'
import { get, patch, put, remove } from '../endpoint.ts'

/** The business, and how its users sign in. */
export type SignInSettings = components['schemas']['BusinessSettings']
export type ProviderSettings = components['schemas']['OidcSettings']

export const readSignIn = get('/api:1/business')

/** Changes whether a second step is demanded of all users. */
export const changeSignIn = patch('/api:1/business')

export const readProvider = get('/api:1/business/oidc')

/** `secret` undefined: the one that is stored stays. */
export const setProvider = put('/api:1/business/oidc')

export const removeProvider = remove('/api:1/business/oidc')
