import { type components, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'
import { get, remove } from '../endpoint.ts'
import type { Rights } from './people.ts'

export type ApiToken = components['schemas']['ApiToken']

/** `expires_at`: milliseconds since 1970. */
type Wanted = Rights & {
  readonly name: string
  readonly expires_at?: number
  readonly addresses: readonly string[]
}

/** Newest first. */
export const listApiTokens = get('/api:1/api-tokens', 'tokens')

/** @returns the secret, which cannot be read again. */
export async function createApiToken(
  client: Client,
  { groups, addresses, ...rest }: Wanted,
): Promise<string> {
  const body = { ...rest, groups: groups && [...groups], addresses: [...addresses] }
  return (await unwrap(client.POST('/api:1/api-tokens', { body }))).token
}

export const revokeApiToken = remove('/api:1/api-tokens/{token}')
