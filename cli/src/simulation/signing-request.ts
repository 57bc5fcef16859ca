import { type KeyObject, sign } from 'node:crypto'

const sequence = 0x30
const setOf = 0x31
const version0 = Buffer.from('020100', 'hex')
const commonName = Buffer.from('0603550403', 'hex')
const ecdsaWithSha256 = Buffer.from('06082a8648ce3d040302', 'hex')
const noAttributes = Buffer.from('a000', 'hex')
const utf8String = 0x0c
const bitString = 0x03
const shortForm = 0x80
const charsPerLine = 64

/** A request (PKCS#10, PEM) that a certificate be made of a device's own EC key. */
export function signingRequest(
  identity: string,
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
): string {
  const attribute = der(sequence, commonName, der(utf8String, Buffer.from(identity)))
  const subject = der(sequence, der(setOf, attribute))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const info = der(sequence, version0, subject, key, noAttributes)
  const signature = sign('sha256', info, privateKey)
  const request = der(
    sequence,
    info,
    der(sequence, ecdsaWithSha256),
    der(bitString, Buffer.from([0]), signature),
  )
  const lines = request.toString('base64').match(new RegExp(`.{1,${charsPerLine}}`, 'g')) ?? []
  const name = 'CERTIFICATE REQUEST'
  return [`-----BEGIN ${name}-----`, ...lines, `-----END ${name}-----`, ''].join('\n')
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), encodeLength(content), content])
}

function encodeLength({ length }: Buffer): Buffer {
  if (length < shortForm) return Buffer.from([length])
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([shortForm | bytes.length]), bytes])
}
