import { unwrap } from '@millrace/client'
import type { Client } from '../client.ts'

/** The provider at which users of a business sign in besides a password. */
export type SignInProvider = { readonly label: string; readonly url: string }

/** That of the named business, or of the only one; null: there is none. */
export async function findProvider(
  client: Client,
  business: string | undefined,
): Promise<SignInProvider | null> {
  const query = business === undefined ? {} : { business }
  const { provider } = await unwrap(client.GET('/api:1/oidc', { params: { query } }))
  return provider
}

/** The session of who has come back from a provider. @throws ApiError `unknown_credential` */
export function takeSession(
  client: Client,
  code: string,
): Promise<{ readonly token: string; readonly email: string }> {
  return unwrap(client.POST('/api:1/token/oidc', { body: { code } }))
}
