import { type KeyObject, verify } from 'node:crypto'

type Signed = { readonly keyType: string; readonly digest: string | null }

/** RSA is PKCS #1 v1.5 here, which is what the tools of devices and authorities make. */
const signatures: Readonly<Record<string, Signed>> = {
  '1.2.840.113549.1.1.11': { keyType: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { keyType: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { keyType: 'rsa', digest: 'sha512' },
  '1.2.840.10045.4.3.2': { keyType: 'ec', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { keyType: 'ec', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { keyType: 'ec', digest: 'sha512' },
  '1.3.101.112': { keyType: 'ed25519', digest: null },
}

/** The algorithms, for a sentence. */
export const signatureKinds = 'RSA (PKCS #1) or ECDSA with SHA-256, SHA-384 or SHA-512, or Ed25519'

/** Returns true if the algorithm, named by its object identifier, is one that is checked here. */
export function isSignatureKind(algorithm: string): boolean {
  return Object.hasOwn(signatures, algorithm)
}

/** Returns true if it is the key's signature of the bytes. */
export function isSignature(
  algorithm: string,
  bytes: Buffer,
  key: KeyObject,
  signature: Buffer,
): boolean {
  const signed = signatures[algorithm]
  if (signed === undefined || signed.keyType !== key.asymmetricKeyType) return false
  try {
    return verify(signed.digest, bytes, key, signature)
  } catch {
    return false
  }
}
