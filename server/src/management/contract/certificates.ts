import { limits, Nullable, StrictObject, Type } from '../../kernel/index.ts'
import {
  component,
  connectorParams,
  json,
  Microseconds,
  nothing,
  Offset,
  OptionalMicroseconds,
  PageSize,
} from './common.ts'
import { contract } from './contract.ts'

const listHead = {
  path: '/api:1/service/:connector/device2/crl',
  permission: 'Setup',
  tag: 'connectors',
} as const

const list = component(
  'RevocationList',
  {
    crl: Type.String({ description: 'PEM.' }),
    number: Nullable(Type.String()),
    this_update: Microseconds(),
    next_update: OptionalMicroseconds('The time at which the next one is due, in microseconds.'),
    revoked: Type.Integer({ description: 'The number of certificates in the list.' }),
    stale: Type.Boolean({ description: 'True if a newer one is due.' }),
  },
  { description: 'The certificate revocation list of a client CA.' },
)

/** A list in JSON. */
export const crlBody = StrictObject({
  crl: Type.String({ description: 'PEM.', missing: 'must be a string' }),
})

export const getRevocationList = contract(
  {
    ...listHead,
    id: 'getRevocationList',
    method: 'GET',
    summary: 'Show the revocation list of the client CA of a connector.',
  },
  () => ({ params: connectorParams, answers: { 200: json('The list.', list) } }),
)

export const putRevocationList = contract(
  {
    ...listHead,
    id: 'putRevocationList',
    method: 'PUT',
    summary: 'Replace the revocation list of the client CA of a connector.',
    description: 'The body is the list as PEM or DER, or JSON with the PEM.',
  },
  () => ({
    params: connectorParams,
    body: {
      stream: ['application/json', 'application/x-pem-file', 'application/pkix-crl'],
      bytesMax: limits.crlBytesMax,
      schema: Type.Union([crlBody, Type.String({ format: 'binary' })]),
    },
    answers: { 200: json('The list.', list) },
    refuses: ['crl_refused', 'crl_outdated'],
  }),
)

export const deleteRevocationList = contract(
  {
    ...listHead,
    id: 'deleteRevocationList',
    method: 'DELETE',
    summary: 'Delete the revocation list of the client CA of a connector.',
  },
  () => ({ params: connectorParams, answers: { 204: nothing('It is deleted.') } }),
)

export const listDeviceCertificates = contract(
  {
    id: 'listDeviceCertificates',
    method: 'GET',
    path: '/api:1/service/:connector/device2/certificates',
    permission: 'Setup',
    tag: 'connectors',
    summary: 'List the certificates of the devices of a connector, the next to end first.',
    description:
      'The one in force of each device: one that was given to it, that was signed here, or with ' +
      'which it came first.',
  },
  () => ({
    params: connectorParams,
    query: StrictObject({ limit: PageSize(limits.pageMax), offset: Offset() }),
    answers: {
      200: json(
        'A page.',
        StrictObject({
          mayLoadMore: Type.Boolean({ description: 'True if there is a next page.' }),
          certificates: Type.Array(
            component('DeviceCertificate', {
              identity: Type.String(),
              until: Microseconds('The end of its validity, in microseconds.'),
              locked: Type.Boolean({ description: 'True if the device is locked.' }),
            }),
          ),
        }),
      ),
    },
  }),
)

const authorityHead = {
  path: '/api:1/service/:connector/device2/ca',
  permission: 'Setup',
  tag: 'connectors',
} as const

const authority = component(
  'Authority',
  {
    certificate: Type.String({ description: 'PEM.' }),
    not_before: Microseconds(),
    not_after: Microseconds(),
  },
  { description: 'The built-in certificate authority of a connector, without its key.' },
)

export const getAuthority = contract(
  {
    ...authorityHead,
    id: 'getAuthority',
    method: 'GET',
    summary: 'Show the built-in certificate authority of a connector.',
  },
  () => ({ params: connectorParams, answers: { 200: json('The authority.', authority) } }),
)

export const createAuthority = contract(
  {
    ...authorityHead,
    id: 'createAuthority',
    method: 'POST',
    summary: 'Create the built-in certificate authority of a connector.',
    description:
      'It is created when the connector first signs with the vendor `internal`, too. A connector ' +
      'has one at most, and its key never leaves the instance.',
  },
  () => ({
    params: connectorParams,
    body: Type.Optional(
      StrictObject({
        use: Type.Optional(
          Type.Boolean({
            description:
              'True: the connector signs requests with it from now on, which no other client CA ' +
              'allows. Default: true.',
          }),
        ),
      }),
    ),
    answers: { 201: json('The authority.', authority) },
    refuses: ['already_exists', 'ca_conflict'],
    example: { request: { use: true } },
  }),
)
