import { createPrivateKey, sign } from 'node:crypto'
import type { JsonObject } from '../../../../foundation/kernel/index.ts'

/** A signed claim (RFC 7519): ES256 with a key of P-256, RS256 with one of RSA. */
export function signJwt(
  algorithm: 'ES256' | 'RS256',
  { header, claims, key }: { header: JsonObject; claims: JsonObject; key: string },
): string {
  const part = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: algorithm, typ: 'JWT', ...header })}.${part(claims)}`
  const signer = { key: createPrivateKey(key), dsaEncoding: 'ieee-p1363' } as const
  return `${text}.${sign('sha256', Buffer.from(text), signer).toString('base64url')}`
}

/** Returns the rule that a key in PEM violates, or undefined. */
export function wrongKey(algorithm: 'ES256' | 'RS256', pem: string): string | undefined {
  const what = algorithm === 'ES256' ? 'a private key of P-256' : 'a private key of RSA'
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey(pem)
    const fits =
      algorithm === 'ES256' ? type === 'ec' && details?.namedCurve === 'prime256v1' : type === 'rsa'
    return fits ? undefined : `${what} in PEM`
  } catch {
    return `${what} in PEM`
  }
}
