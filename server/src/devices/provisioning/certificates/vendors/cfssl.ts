import { createHmac } from 'node:crypto'
import { isJsonObject, parseJsonObject } from '../../../../foundation/kernel/index.ts'
import type { Outbound, OutboundAnswer } from '../../../../foundation/outbound/index.ts'
import { addMonths } from '../months.ts'
import { openVendorClient, type VendorClient } from './request.ts'
import type { CertificateVendor, SigningOrder } from './vendor.ts'

const api = '/api/v1/cfssl'

/**
 * A `cfssl serve`. The profile is one of its configuration's; the API key is that of the profile's
 * authentication, in hexadecimal digits, and is not sent: it makes an HMAC of the request. Without
 * a key the open call `sign` is used. The end is sent with an authenticated request, and a cfssl
 * that supports it applies it; others use the profile's own expiry.
 */
export function cfsslVendor(outbound: Outbound, clock: { nowMs(): number }): CertificateVendor {
  return {
    name: 'cfssl',
    async sign(csr, order) {
      const line = openVendorClient({ outbound, name: 'cfssl', order, sendsKey: false })
      const request = { certificate_request: csr.pem, profile: order.profile }
      const open = order.apiKey === ''
      const path = `${api}/${open ? 'sign' : 'authsign'}`
      const end = new Date(addMonths(clock.nowMs(), order.months)).toISOString()
      const body = open ? request : signed(line, { ...request, NotAfter: end }, order)
      const headers = { 'content-type': 'application/json' }
      const answer = await line.request({
        method: 'POST',
        path,
        headers,
        body: JSON.stringify(body),
      })
      return readCertificate(line, answer)
    },
  }
}

function signed(line: VendorClient, request: object, { apiKey }: SigningOrder) {
  if (!/^([0-9a-f]{2})+$/i.test(apiKey)) {
    throw line.failed('needs an API key of hexadecimal digits')
  }
  const text = Buffer.from(JSON.stringify(request))
  const token = createHmac('sha256', Buffer.from(apiKey, 'hex')).update(text).digest('base64')
  return { token, request: text.toString('base64') }
}

function readCertificate(line: VendorClient, answer: OutboundAnswer): string {
  const said = parseJsonObject(answer.body)
  if (answer.status !== 200 || said?.success !== true) throw line.refused(answer)
  const { result = null } = said
  if (isJsonObject(result) && typeof result.certificate === 'string') return result.certificate
  throw line.failed('answered without a certificate')
}
