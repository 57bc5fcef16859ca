import type { components } from '@millrace/client'
import { get, post, remove } from '../endpoint.ts'

export type ApiToken = components['schemas']['ApiToken']

/** Newest first. */
export const listApiTokens = get('/api:1/api-tokens', 'tokens')

/** @returns the secret, which cannot be read again. */
export const createApiToken = post('/api:1/api-tokens', 'token')

export const revokeApiToken = remove('/api:1/api-tokens/{token}')
