import { Fault } from '../../../../foundation/kernel/index.ts'
import type { Outbound, OutboundAnswer } from '../../../../foundation/outbound/index.ts'
import { type Element, readElementAlone, readElements, readObjectId, tags } from '../der.ts'
import { formatPem } from '../pem.ts'
import { openVendorClient, type VendorClient } from './request.ts'
import type { CertificateVendor } from './vendor.ts'

/**
 * An EST server (RFC 7030). The profile is the label of one of its authorities, if it has several;
 * the API key is `user:password` for HTTP Basic, or else a bearer token. EST has no validity:
 * the server decides.
 */
export function estVendor(outbound: Outbound): CertificateVendor {
  return {
    name: 'est',
    async sign(csr, order) {
      const line = openVendorClient({ outbound, name: 'est', order, sendsKey: true })
      const label = order.profile === '' ? '' : `/${encodeURIComponent(order.profile)}`
      const answer = await line.request({
        method: 'POST',
        path: `/.well-known/est${label}/simpleenroll`,
        headers: {
          'content-type': 'application/pkcs10',
          'content-transfer-encoding': 'base64',
          accept: 'application/pkcs7-mime',
          ...authorization(order.apiKey),
        },
        body: wrapped(csr.der),
      })
      return readCertificates(line, answer)
    },
  }
}

function authorization(apiKey: string): Record<string, string> {
  if (apiKey === '') return {}
  if (!apiKey.includes(':')) return { authorization: `Bearer ${apiKey}` }
  return { authorization: `Basic ${Buffer.from(apiKey).toString('base64')}` }
}

/** Base64 in lines, as RFC 2045 has it. */
function wrapped(bytes: Buffer): string {
  return `${bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\r\n')}\r\n`
}

function readCertificates(line: VendorClient, answer: OutboundAnswer): string {
  if (answer.status === 202) {
    const after = answer.headers['retry-after'] ?? ''
    const seconds = /^\d+$/.test(after) ? ` (after ${after} s)` : ''
    throw line.failed(`wants to be asked again later${seconds}: it does not sign by itself`)
  }
  if (answer.status !== 200) throw line.refused(answer)
  try {
    const certificates = certificatesIn(decodeBody(answer.body))
    return certificates.map(({ bytes }) => formatPem('CERTIFICATE', bytes)).join('')
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'malformed_request') throw error
    throw line.failed('answered with something else than PKCS#7 with certificates', error)
  }
}

/** Base64 as the RFC requires; some servers send the bytes themselves. */
function decodeBody(body: Buffer): Buffer {
  const text = body.toString('latin1')
  return /^[\sA-Za-z0-9+/=]*$/.test(text) ? Buffer.from(text, 'base64') : body
}

const signedData = '1.2.840.113549.1.7.2'
const encoding = { openLengths: true }

/** The certificates of a PKCS#7 that holds nothing else. @throws Fault `malformed_request`. */
function certificatesIn(pkcs7: Buffer): Element[] {
  const outer = readElementAlone(pkcs7, tags.sequence, encoding)
  const [kind, content] = readElements(outer.content, encoding)
  if (!kind || readObjectId(kind) !== signedData || content?.tag !== tags.context0) return []
  const data = readElementAlone(content.content, tags.sequence, encoding)
  const parts = readElements(data.content, encoding)
  const certificates = parts.find(({ tag }) => tag === tags.context0)
  return certificates === undefined ? [] : readElements(certificates.content, encoding)
}
