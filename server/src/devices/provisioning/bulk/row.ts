import { type ErrorCode, Fault, invalidField, parseJson } from '../../../foundation/kernel/index.ts'
import { computeFingerprint, readCommonName } from '../certificates/certificate.ts'
import { parseOneCertificate } from '../certificates/client-ca.ts'
import type { Tag } from '../identities/identity.ts'
import { checkIdentity, type IdentityFormat } from '../identities/identity-format.ts'
import { parseWhitelist } from '../identities/identity-input.ts'
import { cellText } from './csv.ts'
import type { Header } from './header.ts'

/** A row that may be written. */
export type GoodRow = {
  readonly cells: readonly string[]
  readonly identity: string
  /** Undefined: the row has no value for them. */
  readonly tags: readonly Tag[] | undefined
  /** Its certificate by its SHA-256, and its end in microseconds; undefined where it has none. */
  readonly certificate: { readonly fingerprint: string; readonly until: number } | undefined
  /** True if the cell holds white space around the identity. */
  readonly trimmed: boolean
}

/** A row that is refused, and why. */
export type BadRow = {
  readonly cells: readonly string[]
  readonly code: ErrorCode
  readonly message: string
}

export type CsvRow = GoodRow | BadRow

/** Checks a row by itself; what it says is named as the file's columns are. */
export function checkRow(format: IdentityFormat, header: Header, cells: readonly string[]): CsvRow {
  try {
    return goodRow(format, header, cells)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { cells, code: error.code, message: error.detail }
  }
}

function goodRow(format: IdentityFormat, header: Header, cells: readonly string[]): GoodRow {
  const { names } = header
  if (cells.some((cell, at) => at >= names.length && cell !== '')) {
    throw invalidField('the row', `has more cells than the ${names.length} of the header`)
  }
  const cell = readCell(cells, header.id)
  const identity = cellText(cell)
  const refusal = checkIdentity(format, identity)
  if (refusal !== undefined) throw invalidField('ID', refusal)
  const tags = readCell(cells, header.tags)
  const certificate = readCell(cells, header.certificate)
  return {
    cells,
    identity,
    tags: tags === '' ? undefined : parseTagsCell(tags),
    certificate:
      certificate === ''
        ? undefined
        : parseCertificateCell('TLS Client Certificate', certificate, identity),
    trimmed: cell !== cells[header.id],
  }
}

function readCell(cells: readonly string[], at: number | undefined): string {
  return at === undefined ? '' : (cells[at] ?? '').trim()
}

function parseTagsCell(cell: string): readonly Tag[] | undefined {
  return parseWhitelist({ tags: jsonIn(cell) }).tags
}

function jsonIn(cell: string): unknown {
  try {
    return parseJson(cell)
  } catch {
    throw invalidField('Tags', 'must be a JSON array of objects with name and value')
  }
}

/**
 * The certificate of a device as a cell holds it: one PEM block, of which the common name is the
 * identity.
 * @returns what it is known by, its SHA-256 in hexadecimal digits, and its end in microseconds.
 * @throws Fault `invalid_argument`.
 */
function parseCertificateCell(
  field: string,
  cell: string,
  identity: string,
): { readonly fingerprint: string; readonly until: number } {
  const certificate = parseOneCertificate(field, cell)
  if (readCommonName(certificate) !== identity) {
    throw invalidField(field, 'must have the identity as its common name (CN)')
  }
  const until = certificate.validToDate.getTime() * usPerMs
  return { fingerprint: computeFingerprint(certificate), until }
}

const usPerMs = 1_000
