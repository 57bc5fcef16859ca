import { createPublicKey, type KeyObject } from 'node:crypto'
import { Fault, limits } from '../../../foundation/kernel/index.ts'
import { isSignature, isSignatureKind, signatureKinds } from '../credentials/signature.ts'
import { readCommonNames } from '../identities/subject.ts'
import { provisioningLimits } from '../limits.ts'
import {
  type Element,
  readBits,
  readElementAlone,
  readElements,
  readObjectId,
  tags,
} from './der.ts'
import { derOfPem, formatPem } from './pem.ts'

/** The longest modulus of such a key, in bits. */
const rsaBitsMax = 8192
/** The largest public exponent of such a key. */
const rsaExponentMax = 2 ** 32 - 1
/** The smallest public exponent of such a key. */
const rsaExponentMin = 65_537

/** A certificate signing request that may be signed. */
export type CheckedCsr = {
  /** The request and nothing else, written anew. */
  readonly pem: string
  readonly der: Buffer
  readonly publicKey: KeyObject
  /** The common name, which is the identity. */
  readonly commonName: string
}

/**
 * Reads a certificate signing request that somebody sent and checks all that Millrace asks of one:
 * one PKCS#10 block in PEM, a key that is strong enough, the signature that proves that the sender
 * has the private key, and the identity as the only common name. docs/reference/certificates.md
 * lists the rules.
 * @throws Fault `csr_refused`, naming the rule.
 */
export function checkCsr(pem: unknown, identity: string): CheckedCsr {
  const der = toDer(pem)
  const request = inForm(noRequest, () => parseRequest(der))
  const publicKey = inForm(noKey, () => checkKey(request.keyInfo))
  checkSignature(request, publicKey)
  checkName(request.commonNames, identity)
  return { pem: formatPem(label, der), der, publicKey, commonName: identity }
}

const label = 'CERTIFICATE REQUEST'

/** The bytes inside the one block. */
function toDer(pem: unknown): Buffer {
  if (typeof pem !== 'string') throw refused('it must be a string of PEM')
  if (pem.length > provisioningLimits.csrCharsMax) {
    throw refused(`it must have at most ${provisioningLimits.csrCharsMax} characters`)
  }
  return derOfPem(pem, label, (rule) => refused(`it ${rule}`))
}

type Request = {
  /** The signed part. */
  readonly info: Buffer
  readonly keyInfo: Element
  readonly commonNames: readonly (string | undefined)[]
  readonly algorithm: string
  readonly signature: Buffer
}

const noKey = 'the public key cannot be read'
const noRequest = 'the PEM block does not hold a PKCS#10 request in DER'

/** Runs what reads bytes; where they are not in form, the rule is refused. */
function inForm<Result>(rule: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof Fault && error.code === 'malformed_request') throw refused(rule)
    throw error
  }
}

function parseRequest(der: Buffer): Request {
  const outer = readElements(readElementAlone(der, tags.sequence).content)
  const [info, algorithm, signature] = outer
  if (info?.tag !== tags.sequence || !algorithm || !signature || outer.length !== 3) {
    throw refused(noRequest)
  }
  const parts = readElements(info.content)
  const [version, subject, keyInfo, attributes] = parts
  if (version?.bytes.toString('hex') !== '020100') throw refused('it must be PKCS#10 version 1')
  if (subject?.tag !== tags.sequence || keyInfo?.tag !== tags.sequence) throw refused(noRequest)
  if (parts.length > 4 || (attributes && attributes.tag !== tags.context0)) {
    throw refused(noRequest)
  }
  return {
    info: info.bytes,
    keyInfo,
    commonNames: readCommonNames(subject),
    algorithm: readAlgorithm(algorithm),
    signature: readBits(signature),
  }
}

/** Reads the unsigned part: nothing but the name of the algorithm, or NULL beside it. */
function readAlgorithm({ tag, content }: Element): string {
  const [name, parameters, ...others] = readElements(content)
  const isNull = parameters === undefined || parameters.bytes.toString('hex') === '0500'
  if (tag !== tags.sequence || !name || others.length > 0) throw refused(noRequest)
  const algorithm = readObjectId(name)
  if (!isNull && isSignatureKind(algorithm)) throw refused(noRequest)
  return algorithm
}

const rsa = '1.2.840.113549.1.1.1'
const ellipticCurve = '1.2.840.10045.2.1'
const ed25519 = '1.3.101.112'
const curves: ReadonlySet<string> = new Set(['1.2.840.10045.3.1.7', '1.3.132.0.34', '1.3.132.0.35'])

/** Kind and curve are read here, so that only what is known reaches the mathematics. */
function checkKey(keyInfo: Element): KeyObject {
  const [kind, parameters] = keyKind(keyInfo)
  if (kind === ellipticCurve) checkCurve(parameters)
  else if (kind !== rsa && kind !== ed25519) {
    throw refused(`the key must be RSA, EC or Ed25519; its kind is ${kind}`)
  }
  const key = readPublicKey(keyInfo)
  if (kind === rsa) checkRsa(key)
  return key
}

function keyKind(keyInfo: Element): readonly [string, Element | undefined] {
  const [algorithm, key, ...others] = readElements(keyInfo.content)
  const [kind, parameters] = algorithm ? readElements(algorithm.content) : []
  if (!kind || key?.tag !== tags.bitString || others.length > 0) throw refused(noKey)
  return [readObjectId(kind), parameters]
}

function checkCurve(parameters: Element | undefined): void {
  const named = parameters?.tag === tags.objectId
  const curve = named ? readObjectId(parameters) : 'given by its parameters'
  if (curves.has(curve)) return
  throw refused(`the curve must be P-256, P-384 or P-521; it is ${curve}`)
}

function readPublicKey(keyInfo: Element): KeyObject {
  try {
    return createPublicKey({ key: keyInfo.bytes, format: 'der', type: 'spki' })
  } catch {
    throw refused(noKey)
  }
}

function checkRsa(key: KeyObject): void {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  const { rsaBitsMin } = provisioningLimits
  if (modulusLength < rsaBitsMin || modulusLength > rsaBitsMax) {
    throw refused(
      `an RSA key must have ${rsaBitsMin} to ${rsaBitsMax} bits; it has ${modulusLength}`,
    )
  }
  const odd = publicExponent % 2n === 1n
  if (!odd || publicExponent < rsaExponentMin || publicExponent > rsaExponentMax) {
    throw refused(
      `an RSA key's exponent must be an odd number from ${rsaExponentMin} to ${rsaExponentMax}`,
    )
  }
}

function checkSignature({ info, algorithm, signature }: Request, key: KeyObject): void {
  if (!isSignatureKind(algorithm)) {
    throw refused(`the signature must be ${signatureKinds}; it is ${algorithm}`)
  }
  if (!isSignature(algorithm, info, key, signature)) {
    throw refused('the signature does not prove that the sender has the private key')
  }
}

function checkName(names: readonly (string | undefined)[], identity: string): void {
  const [name] = names
  if (names.length !== 1) {
    throw refused(`it must have one common name (CN), the identity; it has ${names.length}`)
  }
  if (name === undefined) throw refused('its common name (CN) is not readable as UTF-8 or ASCII')
  if (name === identity) return
  const [shown, wanted] = [name, identity].map((text) =>
    JSON.stringify(text.slice(0, limits.nameCharsMax)),
  )
  throw refused(`its common name (CN) must be the identity ${wanted}, and is ${shown}`)
}

function refused(rule: string): Fault {
  return new Fault('csr_refused', `The certificate signing request was rejected: ${rule}.`)
}
