import type { Fault } from '../../../foundation/kernel/index.ts'

const begins = /-----BEGIN (?:NEW )?([^-\r\n]*)-----/g
const block = /-----BEGIN ([^-\r\n]*)-----([\sA-Za-z0-9+/=]*)-----END \1-----/

/**
 * Returns the bytes of the one PEM block of a text. Text around it is dropped, as openssl writes
 * explanations there. The effort is linear in the text, whose length the caller limits.
 * @param label such as CERTIFICATE.
 * @param refused makes the error of a rule, a sentence without its subject.
 */
export function derOfPem(text: string, label: string, refused: (rule: string) => Fault): Buffer {
  if (text.includes('PRIVATE KEY-----')) {
    throw refused('must not hold a private key, which must never leave its owner: make a new one')
  }
  const kinds = [...text.matchAll(begins)].map(([, kind = '']) => kind)
  if (kinds.length === 0) throw refused(`must be PEM: it holds no line -----BEGIN ${label}-----`)
  if (kinds.length > 1) throw refused(`must hold exactly one PEM block; it holds ${kinds.length}`)
  if (kinds[0] !== label) throw refused(`must hold a PEM block ${label}; it holds a ${kinds[0]}`)
  const base64 = block.exec(text)?.[2]?.replace(/\s+/g, '')
  const der = Buffer.from(base64 ?? '', 'base64')
  if (base64 === undefined || der.toString('base64') !== base64) {
    throw refused(`must hold a whole PEM block ${label} of valid base64`)
  }
  return der
}

/** A PEM block with its last line break. */
export function formatPem(kind: string, der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN ${kind}-----\n${lines}\n-----END ${kind}-----\n`
}
