import 'reflect-metadata'
import { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { Fault, limits } from '../../../foundation/kernel/index.ts'
import { isSignature, isSignatureKind, signatureKinds } from '../credentials/signature.ts'
import { provisioningLimits } from '../limits.ts'
import { readSubject, serialText } from './certificate.ts'
import {
  type Element,
  readBits,
  readElementAlone,
  readElements,
  readObjectId,
  tags,
} from './der.ts'
import { derOfPem } from './pem.ts'

/** The number of a revocation list, as RFC 5280 has it. A standard or a provider sets it. */
const crlNumberBytesMax = 20

/** A certificate revocation list whose signature was checked. Times are milliseconds. */
export type Crl = {
  readonly der: Buffer
  /** The number that its authority gave the list; null: none. */
  readonly number: bigint | null
  readonly thisUpdate: number
  /** The time at which a newer one is due; null: not stated. */
  readonly nextUpdate: number | null
  /** As `serialOf` writes them. */
  readonly serials: ReadonlySet<string>
}

/**
 * Reads a revocation list that somebody uploaded and checks that it is a whole one of the
 * connector's client CA, in force. It is read by hand: the library refuses lists of more than a few
 * thousand entries. docs/reference/certificates.md lists the rules.
 * @param input PEM or DER.
 * @throws Fault `crl_refused`, naming the rule; `too_large`.
 */
export function checkCrl(input: Buffer, caPem: string, nowMs: number): Crl {
  if (input.length > limits.crlBytesMax) throw new Fault('too_large')
  const der = toDer(input)
  const list = inForm(() => parse(der))
  const ca = new X509Certificate(caPem)
  if (!list.issuer.equals(readSubject(ca.raw).bytes)) {
    throw refused("its issuer is not the connector's client CA")
  }
  if (!maySignLists(caPem)) {
    throw refused('the client CA may not sign lists: its keyUsage lacks cRLSign')
  }
  if (!isSignatureKind(list.algorithm)) {
    throw refused(`the signature must be ${signatureKinds}; it is ${list.algorithm}`)
  }
  if (!isSignature(list.algorithm, list.signed, ca.publicKey, list.signature)) {
    throw refused("the signature is not that of the connector's client CA")
  }
  refuseTime(list, nowMs)
  const { number, thisUpdate, nextUpdate, serials } = list
  return { der, number, thisUpdate, nextUpdate, serials }
}

/** The serials of a list that was checked when it was stored. */
export function readSerials(der: Buffer): ReadonlySet<string> {
  return parse(der).serials
}

/** Returns the DER of DER or PEM. */
function toDer(input: Buffer): Buffer {
  if (input[0] === tags.sequence) return input
  return derOfPem(input.toString('latin1'), 'X509 CRL', (rule) => refused(`it ${rule}`))
}

const noList = 'it is not a certificate revocation list in DER'

function inForm<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof Fault && error.code === 'malformed_request') throw refused(noList)
    throw error
  }
}

type Parsed = Omit<Crl, 'der'> & {
  readonly issuer: Buffer
  readonly signed: Buffer
  readonly algorithm: string
  readonly signature: Buffer
}

function parse(der: Buffer): Parsed {
  const outer = readElements(readElementAlone(der, tags.sequence).content)
  const [signed, algorithm, signature] = outer
  if (signed?.tag !== tags.sequence || !algorithm || !signature || outer.length !== 3) {
    throw refused(noList)
  }
  const parts = readElements(signed.content)
  if (parts[0]?.tag === tags.integer) parts.shift()
  const [inner, issuer, thisUpdate, ...rest] = parts
  if (issuer?.tag !== tags.sequence || !thisUpdate) throw refused(noList)
  if (inner === undefined || !inner.bytes.equals(algorithm.bytes)) {
    throw refused('it names two algorithms')
  }
  const nextUpdate = isTime(rest[0]) ? rest.shift() : undefined
  const revoked = rest[0]?.tag === tags.sequence ? rest.shift() : undefined
  const extensions = rest[0]?.tag === tags.context0 ? rest.shift() : undefined
  if (rest.length > 0) throw refused(noList)
  const [name] = readElements(algorithm.content)
  if (algorithm.tag !== tags.sequence || !name) throw refused(noList)
  return {
    issuer: issuer.bytes,
    signed: signed.bytes,
    algorithm: readObjectId(name),
    signature: readBits(signature),
    number: parseExtensions(extensions),
    thisUpdate: parseTime(thisUpdate),
    nextUpdate: nextUpdate === undefined ? null : parseTime(nextUpdate),
    serials: new Set(revoked === undefined ? [] : readElements(revoked.content).map(parseEntry)),
  }
}

function parseEntry({ tag, content }: Element): string {
  const [serial, date, extensions, ...others] = readElements(content)
  if (tag !== tags.sequence || serial?.tag !== tags.integer || !isTime(date) || others.length > 0) {
    throw refused(noList)
  }
  // Such as the issuer of an entry in a list of several authorities' certificates.
  if (extensions !== undefined) {
    for (const { id, critical } of readExtensions(extensions)) {
      if (critical) throw refused(`an entry has the critical extension ${id}`)
    }
  }
  return serialText(serial)
}

const crlNumber = '2.5.29.20'
const partial: ReadonlySet<string> = new Set(['2.5.29.27', '2.5.29.28'])

/** Returns the list's number from its extensions. A list that is only a part is refused. */
function parseExtensions(element: Element | undefined): bigint | null {
  if (element === undefined) return null
  let number: bigint | null = null
  for (const { id, critical, value } of readExtensions(
    readElementAlone(element.content, tags.sequence),
  )) {
    if (partial.has(id)) throw refused('it must be a whole list, and is a part of one')
    if (id === crlNumber) {
      const { content } = readElementAlone(value, tags.integer)
      if (content.length === 0 || content.length > crlNumberBytesMax) throw refused(noList)
      number = BigInt(`0x${content.toString('hex')}`)
    } else if (critical) throw refused(`it has the critical extension ${id}`)
  }
  return number
}

function readExtensions({ tag, content }: Element) {
  if (tag !== tags.sequence) throw refused(noList)
  return readElements(content).map((extension) => {
    const parts = readElements(extension.content)
    const critical = parts[1]?.tag === tags.boolean ? parts.splice(1, 1)[0] : undefined
    const [id, value] = parts
    if (!id || value?.tag !== tags.octetString || parts.length !== 2) throw refused(noList)
    return { id: readObjectId(id), critical: critical?.content[0] === 0xff, value: value.content }
  })
}

function isTime(element: Element | undefined): element is Element {
  return element?.tag === tags.utcTime || element?.tag === tags.generalizedTime
}

const time = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/

/** A two-digit year is from 1950 to 2049. */
function parseTime({ tag, content }: Element): number {
  const text = content.toString('latin1')
  const century = Number(text.slice(0, 2)) >= 50 ? '19' : '20'
  const found = time.exec(tag === tags.utcTime ? `${century}${text}` : text)
  const [, year, month, day, hour, minute, second] = found ?? []
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (found === null || Number.isNaN(ms)) throw refused(noList)
  return ms
}

/** A list that begins a little later than now is taken: clocks differ. */
function refuseTime({ thisUpdate, nextUpdate }: Parsed, nowMs: number): void {
  if (thisUpdate > nowMs + provisioningLimits.certificateBackdateMs) {
    throw refused(`it is not valid before ${new Date(thisUpdate).toISOString()}`)
  }
  if (nextUpdate !== null && nextUpdate <= nowMs) {
    throw refused(`it was valid until ${new Date(nextUpdate).toISOString()}: make a new one`)
  }
}

/** An authority that lists the uses of its key must list this one, too. */
function maySignLists(caPem: string): boolean {
  const usages = new x509.X509Certificate(caPem).getExtension(x509.KeyUsagesExtension)?.usages
  return usages === undefined || (usages & x509.KeyUsageFlags.cRLSign) !== 0
}

function refused(rule: string): Fault {
  return new Fault('crl_refused', `The revocation list was rejected: ${rule}.`)
}
