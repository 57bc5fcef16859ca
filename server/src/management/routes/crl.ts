import { Fault, limits, parseJson } from '../../kernel/index.ts'
import type { CrlRecord, Provisioning } from '../../provisioning/index.ts'
import { noContent, ok, type Route } from '../legacy-route.ts'
import { bodyObject, fieldsOf, textOf } from '../wire/fields.ts'
import { inWireNames } from '../wire/settings.ts'
import { connectorId } from './connectors.ts'

type Options = Pick<Provisioning, 'crls'>

/** The revocation list of a connector's client CA: PEM or DER as it is, or PEM in JSON. */
export function crlRoutes({ crls }: Options): Route[] {
  return [
    {
      path: '/api:1/service/:connector/device2/crl',
      GET: {
        permission: 'Setup',
        act: async ({ principal, params }) =>
          ok(crlBody(await crls.get(principal.businessId, connectorId(params)))),
      },
      PUT: {
        permission: 'Setup',
        takes: 'bytes',
        async act({ principal, params, headers, bytes }) {
          const where = [principal.businessId, connectorId(params)] as const
          const body = await readAll(bytes)
          const list = isJson(headers['content-type']) ? listIn(body) : body
          return ok(crlBody(await inWireNames(crls.put(...where, list))))
        },
      },
      DELETE: {
        permission: 'Setup',
        async act({ principal, params }) {
          await crls.remove(principal.businessId, connectorId(params))
          return noContent()
        },
      },
    },
  ]
}

/** @throws Fault `too_large`, when more than a list may have has come. */
async function readAll(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > limits.crlBytesMax) throw new Fault('too_large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function isJson(type = ''): boolean {
  return /^application\/json *(?:;|$)/i.test(type)
}

function listIn(body: Buffer): Buffer {
  const { crl } = fieldsOf('body', bodyObject(jsonIn(body)), ['crl'])
  return Buffer.from(textOf('crl', crl))
}

function jsonIn(body: Buffer): unknown {
  try {
    return parseJson(body.toString('utf8'))
  } catch {
    throw new Fault('malformed_request')
  }
}

function crlBody({ crlPem, number, thisUpdate, nextUpdate, revoked, stale }: CrlRecord) {
  const times = { this_update: thisUpdate, next_update: nextUpdate }
  return { crl: crlPem, number, ...times, revoked, stale }
}
