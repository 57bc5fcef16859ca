import { limits, Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, nothing, PathText } from '../common.ts'
import { contract } from '../contract.ts'

const described = {
  label: Type.String({ description: 'Of the button: `Sign in with <label>`.' }),
  issuer: Type.String({ description: 'The URL of the provider, as its tokens name it.' }),
  client_id: Type.String({ description: 'What the provider calls this instance.' }),
  domains: Type.Array(Type.String(), {
    description: 'Domains of the e-mail addresses that may sign in, such as `acme.example`.',
  }),
}

const settings = component('OidcSettings', {
  ...described,
  creates_role: Nullable(Type.String(), {
    description:
      'The role of users who are made at their first sign-in, and see the whole business; null: ' +
      'only users and people who were invited sign in.',
  }),
  redirect_uri: Type.String({ description: 'The address that the provider must allow.' }),
})

export const getOidc = contract(
  {
    id: 'getOidc',
    method: 'GET',
    path: '/api:1/business/oidc',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Show the OpenID Connect provider at which users of the business sign in.',
  },
  () => ({ answers: { 200: json('The provider, without its secret.', settings) } }),
)

export const setOidc = contract(
  {
    id: 'setOidc',
    method: 'PUT',
    path: '/api:1/business/oidc',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Set the OpenID Connect provider at which users of the business sign in.',
    description:
      'Who signs in there is found by the e-mail address that the provider has verified: a user ' +
      'of the business, or somebody who was invited. For callers who see the whole business.',
  },
  () => ({
    body: StrictObject({
      ...described,
      secret: Type.Optional(
        Type.String({ description: 'Of the client; left out: the one that is stored.' }),
      ),
      creates_role: Type.Optional(Nullable(Type.String())),
    }),
    answers: { 200: json('The provider, without its secret.', settings) },
    example: {
      request: {
        label: 'Acme',
        issuer: 'https://login.acme.example',
        client_id: 'millrace',
        secret: '5f0c…',
        domains: ['acme.example'],
      },
    },
  }),
)

export const deleteOidc = contract(
  {
    id: 'deleteOidc',
    method: 'DELETE',
    path: '/api:1/business/oidc',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'Remove the OpenID Connect provider of the business.',
    description: 'Sessions that began there stay open until they end.',
  },
  () => ({ answers: { 204: nothing('It is removed.') } }),
)

export const findOidc = contract(
  {
    id: 'findOidc',
    method: 'GET',
    path: '/api:1/oidc',
    permission: 'none',
    tag: 'accounts',
    summary: 'Show how users of a business may sign in besides a password.',
  },
  () => ({
    query: StrictObject({
      business: Type.Optional(
        Type.String({ description: 'Its id or name; left out: the only one of the instance.' }),
      ),
    }),
    answers: {
      200: json(
        'The provider; null: there is none.',
        StrictObject({
          provider: Nullable(
            StrictObject({
              label: Type.String(),
              url: Type.String({ description: 'Where the browser goes, on this instance.' }),
            }),
          ),
        }),
      ),
    },
    refuses: ['too_many_requests'],
  }),
)

export const leaveForOidc = contract(
  {
    id: 'leaveForOidc',
    method: 'GET',
    path: '/api:1/oidc/:business/start',
    permission: 'none',
    tag: 'accounts',
    summary: 'Send a browser to the sign-in provider of a business.',
  },
  () => ({
    params: StrictObject({ business: PathText('The id of a business.') }),
    answers: { 302: nothing('The provider, or the console with `#oidc-error=<code>`.') },
  }),
)

export const returnFromOidc = contract(
  {
    id: 'returnFromOidc',
    method: 'GET',
    path: '/api:1/oidc/callback',
    permission: 'none',
    tag: 'accounts',
    summary: 'Receive a browser from a sign-in provider.',
  },
  () => ({
    answers: { 302: nothing('The console with `#oidc=<code>`, or with `#oidc-error=<code>`.') },
  }),
)

export const takeOidcSession = contract(
  {
    id: 'takeOidcSession',
    method: 'POST',
    path: '/api:1/token/oidc',
    permission: 'none',
    tag: 'accounts',
    summary: 'Begin the session of who has come back from a sign-in provider.',
  },
  () => ({
    body: StrictObject({
      code: Type.String({ description: 'What the address has behind `#oidc=`.' }),
    }),
    bodyBytesMax: limits.signInBodyBytesMax,
    answers: {
      200: json(
        'The token of the session.',
        StrictObject({ token: Type.String(), email: Type.String() }),
      ),
    },
    refuses: ['unknown_credential', 'too_many_requests'],
    example: { request: { code: '3f6c…' } },
  }),
)
