import { Fault, limits, parseJson } from '../../kernel/index.ts'
import type { Authority, CrlRecord, Provisioning } from '../../provisioning/index.ts'
import {
  createAuthority,
  crlBody,
  deleteRevocationList,
  getAuthority,
  getRevocationList,
  listDeviceCertificates,
  putRevocationList,
} from '../contract/certificates.ts'
import { createBodyParser } from '../contract/validation.ts'
import { collectBytes } from '../json-body.ts'
import { created, noContent, ok, type Route, route } from '../route.ts'
import { inWireNames } from '../wire/settings.ts'
import { connectorId } from './connectors.ts'

/** The built-in authorities of connectors, and the revocation lists of their client CAs. */
export function certificateRoutes(
  provisioning: Pick<Provisioning, 'authorities' | 'crls' | 'deviceExpiries'>,
): Route[] {
  return [
    ...authorityRoutes(provisioning),
    ...crlRoutes(provisioning),
    route(listDeviceCertificates, async ({ principal, params, query }) => {
      const where = [principal.businessId, connectorId(params)] as const
      return ok(await provisioning.deviceExpiries(...where, query))
    }),
  ]
}

function authorityRoutes({ authorities }: Pick<Provisioning, 'authorities'>): Route[] {
  return [
    route(getAuthority, async ({ principal, params }) =>
      ok(authorityBody(await authorities.get(principal.businessId, connectorId(params)))),
    ),
    route(createAuthority, async ({ principal, params, body }) => {
      const { use = true } = body ?? {}
      const where = [principal.businessId, connectorId(params)] as const
      return created(authorityBody(await authorities.create(...where, { use })))
    }),
  ]
}

const usPerMs = 1_000

function authorityBody({ certificatePem, notBefore, notAfter }: Authority) {
  return {
    certificate: certificatePem,
    not_before: notBefore * usPerMs,
    not_after: notAfter * usPerMs,
  }
}

/** A list is put as PEM or DER as it is, or as PEM in JSON. */
function crlRoutes({ crls }: Pick<Provisioning, 'crls'>): Route[] {
  return [
    route(getRevocationList, async ({ principal, params }) =>
      ok(listBody(await crls.get(principal.businessId, connectorId(params)))),
    ),
    route(putRevocationList, async ({ principal, params, headers, bytes }) => {
      const where = [principal.businessId, connectorId(params)] as const
      const body = await collectBytes(bytes, limits.crlBytesMax)
      const list = isJson(headers['content-type']) ? listIn(body) : body
      return ok(listBody(await inWireNames(crls.put(...where, list))))
    }),
    route(deleteRevocationList, async ({ principal, params }) => {
      await crls.remove(principal.businessId, connectorId(params))
      return noContent()
    }),
  ]
}

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

function listBody({ crlPem, number, thisUpdate, nextUpdate, revoked, stale }: CrlRecord) {
  const times = { this_update: thisUpdate, next_update: nextUpdate }
  return { crl: crlPem, number, ...times, revoked, stale }
}
