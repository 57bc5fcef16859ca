import { ApiError, type components, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'
import { get, patch, put, remove } from '../endpoint.ts'

/** The business, and how its users sign in. */
export type SignInSettings = components['schemas']['BusinessSettings']
export type ProviderSettings = components['schemas']['OidcSettings']

export const readSignIn = get('/api:1/business')

/** Changes whether a second step is demanded of all users. */
export const changeSignIn = patch('/api:1/business')

/** Null: the business has none. */
export async function readProvider(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<ProviderSettings | null> {
  try {
    return await unwrap(client.GET('/api:1/business/oidc', { signal }))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null
    throw error
  }
}

/** `secret` undefined: the one that is stored stays. */
export const setProvider = put('/api:1/business/oidc')

export const removeProvider = remove('/api:1/business/oidc')
