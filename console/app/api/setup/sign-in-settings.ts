import { ApiError, type components, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'

/** The business, and how its users sign in. */
export type SignInSettings = components['schemas']['BusinessSettings']
export type ProviderSettings = components['schemas']['OidcSettings']

export function readSignIn(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<SignInSettings> {
  return unwrap(client.GET('/api:1/business', { signal }))
}

/** Demands a second step of all users, or does so no longer. */
export async function demandSecondStep(client: Client, isDemanded: boolean): Promise<void> {
  await unwrap(client.PATCH('/api:1/business', { body: { totp_demanded: isDemanded } }))
}

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
type WantedProvider = Omit<ProviderSettings, 'redirect_uri'> & { readonly secret?: string }

export async function setProvider(client: Client, provider: WantedProvider): Promise<void> {
  await unwrap(client.PUT('/api:1/business/oidc', { body: provider }))
}

export async function removeProvider(client: Client): Promise<void> {
  await unwrap(client.DELETE('/api:1/business/oidc'))
}
