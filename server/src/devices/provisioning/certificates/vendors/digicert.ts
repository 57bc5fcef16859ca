import {
  isJsonObject,
  type JsonObject,
  parseJsonObject,
  readableText,
} from '../../../../foundation/kernel/index.ts'
import type { Outbound, OutboundAnswer } from '../../../../foundation/outbound/index.ts'
import { addMonths } from '../months.ts'
import { openVendorClient, type VendorClient } from './request.ts'
import type { CertificateVendor, SigningOrder } from './vendor.ts'

const defaultUrl = 'https://www.digicert.com'
const api = '/services/v2'

/**
 * DigiCert's CertCentral. The profile is the product's id, and after a colon the organization's
 * number where the account has several: `private_ssl_plus:112233`. The order skips approval, and
 * its certificate comes with the answer or is fetched at once; an order that waits for a person
 * is a failure that names the order.
 */
export function digicertVendor(outbound: Outbound, clock: { nowMs(): number }): CertificateVendor {
  return {
    name: 'digicert',
    async sign(csr, order) {
      const line = openVendorClient({
        outbound,
        name: 'digicert',
        order,
        defaultUrl,
        sendsKey: true,
      })
      const { product, organization } = parseProfile(line, order)
      const headers = { 'content-type': 'application/json', 'X-DC-DEVKEY': order.apiKey }
      const answer = await line.request({
        method: 'POST',
        path: `${api}/order/certificate/${product}`,
        headers,
        body: JSON.stringify({
          certificate: {
            common_name: csr.commonName,
            csr: csr.pem,
            signature_hash: 'sha256',
            server_platform: { id: -1 },
          },
          ...organization,
          order_validity: { custom_expiration_date: endDate(clock, order.months) },
          skip_approval: true,
          disable_renewal_notifications: true,
        }),
      })
      if (answer.status !== 200 && answer.status !== 201) throw line.refused(answer)
      const said = parseJsonObject(answer.body)
      if (said === undefined) throw line.failed('answered with something else than JSON')
      return readChain(said) ?? fetchCertificate(line, headers, said)
    },
  }
}

function parseProfile(line: VendorClient, { profile }: SigningOrder) {
  const [, product, organization] = /^(\w+)(?::(\d{1,15}))?$/.exec(profile) ?? []
  if (product === undefined) {
    throw line.failed('needs a profile of the form <product> or <product>:<organization number>')
  }
  const known = organization === undefined ? {} : { organization: { id: Number(organization) } }
  return { product, organization: known }
}

/** `YYYY-MM-DD`, in UTC. */
function endDate(clock: { nowMs(): number }, months: number): string {
  return new Date(addMonths(clock.nowMs(), months)).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** The certificates of an order that was signed at once. */
function readChain({ certificate_chain: chain }: JsonObject): string | undefined {
  if (!Array.isArray(chain) || chain.length === 0) return undefined
  return chain
    .map((link: unknown) => (isJsonObject(link) && typeof link.pem === 'string' ? link.pem : ''))
    .join('\n')
}

async function fetchCertificate(
  line: VendorClient,
  headers: Readonly<Record<string, string>>,
  { id, certificate_id: certificateId }: JsonObject,
): Promise<string> {
  if (!Number.isSafeInteger(certificateId)) throw line.failed(waiting(id))
  const path = `${api}/certificate/${certificateId}/download/format/pem_noroot`
  const answer: OutboundAnswer = await line.request({ method: 'GET', path, headers })
  if (answer.status !== 200) throw line.refused(answer)
  return readableText(answer.body)
}

function waiting(id: unknown): string {
  const order = Number.isSafeInteger(id) ? `the order ${id}` : 'the order'
  return `has not signed: ${order} waits for an approval there`
}
