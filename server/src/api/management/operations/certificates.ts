import {
  authoritySchema,
  crlSchema,
  deviceCertificatesSchema,
} from '../../../devices/provisioning/index.ts'
import { Fault, limits, parseJson, StrictObject, Type } from '../../../foundation/kernel/index.ts'
import { does, makes, paging, shows } from '../contract/common.ts'
import { createBodyParser } from '../contract/validation.ts'
import { collectBytes } from '../json-body.ts'
import { operations } from '../operation.ts'

/** A list in JSON. */
export const crlBody = StrictObject({
  crl: Type.String({ description: 'PEM.', missing: 'must be a string' }),
})

const on = operations('connectors', 'Setup', '/api:1/service/:connector/device2')

export const getRevocationList = on.get(
  '/crl',
  'Show the revocation list of the client CA of a connector.',
  () => shows('The list.', crlSchema),
  ({ provisioning: { crls } }, { businessId, params }) => crls.get(businessId, params.connector),
)

export const putRevocationList = on.put(
  '/crl',
  'Replace the revocation list of the client CA of a connector.',
  () => ({
    description: 'The body is the list as PEM or DER, or JSON with the PEM.',
    body: {
      stream: ['application/json', 'application/x-pem-file', 'application/pkix-crl'],
      bytesMax: limits.crlBytesMax,
      schema: Type.Union([crlBody, Type.String({ format: 'binary' })]),
    },
    ...shows('The list.', crlSchema),
    refuses: ['crl_refused', 'crl_outdated'],
  }),
  async ({ provisioning: { crls } }, { businessId, params, headers, bytes }) => {
    const where = [businessId, params.connector] as const
    const body = await collectBytes(bytes, limits.crlBytesMax)
    const list = isJson(headers['content-type']) ? listIn(body) : body
    return crls.put(...where, list)
  },
)

export const deleteRevocationList = on.remove(
  '/crl',
  'Delete the revocation list of the client CA of a connector.',
  () => does('It is deleted.'),
  ({ provisioning: { crls } }, { businessId, params }) => crls.remove(businessId, params.connector),
)

export const listDeviceCertificates = on.get(
  '/certificates',
  'List the certificates of the devices of a connector, the next to end first.',
  () => ({
    description:
      'The one in force of each device: one that was given to it, that was signed here, or with ' +
      'which it came first.',
    query: StrictObject(paging()),
    ...shows('A page.', deviceCertificatesSchema),
  }),
  ({ provisioning }, { businessId, params, query }) =>
    provisioning.deviceExpiries(businessId, params.connector, query),
)

export const getAuthority = on.get(
  '/ca',
  'Show the built-in certificate authority of a connector.',
  () => shows('The authority.', authoritySchema),
  ({ provisioning: { authorities } }, { businessId, params }) =>
    authorities.get(businessId, params.connector),
)

export const createAuthority = on.post(
  '/ca',
  'Create the built-in certificate authority of a connector.',
  () => ({
    description:
      'It is created when the connector first signs with the vendor `internal`, too. A connector ' +
      'has one at most, and its key never leaves the instance.',
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
    ...makes('The authority.', authoritySchema),
    refuses: ['already_exists', 'ca_conflict'],
    example: { request: { use: true } },
  }),
  ({ provisioning: { authorities } }, { businessId, params, body: { use = true } = {} }) =>
    authorities.create(businessId, params.connector, { use }),
)

function isJson(type = ''): boolean {
  return /^application\/json *(?:;|$)/i.test(type)
}

const parseBody = createBodyParser(crlBody)

function listIn(body: Buffer): Buffer {
  return Buffer.from(parseBody(jsonIn(body)).crl)
}

function jsonIn(body: Buffer): unknown {
  try {
    return parseJson(body)
  } catch {
    throw new Fault('malformed_request')
  }
}
