import { find, post } from '../endpoint.ts'

/** The provider at which users of a business sign in besides a password. */
export type SignInProvider = { readonly label: string; readonly url: string }

/** That of the named business, or of the only one; null: there is none. */
export const findProvider = find('/api:1/oidc', 'provider')

/** The session of who has come back from a provider. @throws ApiError `unknown_credential` */
export const takeSession = post('/api:1/token/oidc')
