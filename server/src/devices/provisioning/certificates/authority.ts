import { X509Certificate } from 'node:crypto'
import type { Database } from '../../../foundation/database/index.ts'
import { type Clock, Fault, type Random } from '../../../foundation/kernel/index.ts'
import type { Secrets } from '../credentials/secrets.ts'
import { provisioningLimits } from '../limits.ts'
import { type AuthorityRow, insertAuthority, readAuthority } from '../store/authorities.ts'
import type { CheckedCsr } from './csr.ts'
import { issueClient, makeIssuer } from './issue.ts'
import { addMonths } from './months.ts'

/** Months of validity of a connector's built-in authority. */
const authorityMonths = 240

/** A connector's built-in certificate authority as operators see it: without its key. */
export type Authority = {
  /** The certificate that verifies those of its devices, PEM. */
  readonly certificatePem: string
  /** Milliseconds. */
  readonly notBefore: number
  readonly notAfter: number
}

export type Authorities = {
  /** @throws Fault `already_exists`, `secret_unreadable`. */
  create(connectorId: string): Promise<Authority>
  /** Makes an authority for the caller to store. @throws Fault `secret_unreadable`. */
  prepare(connectorId: string): Promise<AuthorityRow>
  find(connectorId: string): Promise<Authority | undefined>
  /** The connector's own; made now where it has none. */
  ensure(connectorId: string): Promise<Authority>
  /**
   * A client certificate for the key of a request, valid for so many calendar months from now, and
   * no longer than the authority. PEM. The authority is made where there is none.
   * @throws Fault `vendor_failed` where the authority's time is over, `secret_unreadable`.
   */
  issue(connectorId: string, csr: CheckedCsr, months: number): Promise<string>
}

type AuthoritiesOptions = {
  readonly database: Database
  readonly secrets: Secrets
  readonly clock: Clock
  readonly random: Random
}

const msPerSecond = 1_000

export function createAuthorities(options: AuthoritiesOptions): Authorities {
  const { database, secrets, clock, random } = options

  async function prepare(connectorId: string): Promise<AuthorityRow> {
    const notBefore = startMs(clock)
    const validity = { notBefore, notAfter: addMonths(notBefore, authorityMonths) }
    const issuer = await makeIssuer(`Millrace CA of ${connectorId}`, validity, random)
    return {
      certificate: issuer.certificate,
      sealedKey: secrets.seal(issuer.key, sealContext(connectorId)),
      createdAt: clock.nowUs(),
    }
  }

  /** False where there is one by now. The key is in the database before anything is signed. */
  async function make(connectorId: string): Promise<boolean> {
    return insertAuthority(database, connectorId, await prepare(connectorId))
  }

  async function ensureRow(connectorId: string): Promise<AuthorityRow> {
    const known = await readAuthority(database, connectorId)
    if (known !== undefined) return known
    await make(connectorId)
    const made = await readAuthority(database, connectorId)
    if (made === undefined)
      throw new Fault('internal', 'the authority was removed while it was created')
    return made
  }

  return {
    async create(connectorId) {
      if (!(await make(connectorId))) throw alreadyThere()
      return shown(await ensureRow(connectorId))
    },
    prepare,
    async find(connectorId) {
      const row = await readAuthority(database, connectorId)
      return row && shown(row)
    },
    ensure: async (connectorId) => shown(await ensureRow(connectorId)),
    async issue(connectorId, csr, months) {
      const row = await ensureRow(connectorId)
      const issuer = {
        certificate: row.certificate,
        key: secrets.open(row.sealedKey, sealContext(connectorId)),
      }
      const validity = clientValidity(clock, shown(row), months)
      const subject = { identity: csr.commonName, publicKey: csr.publicKey }
      return issueClient(issuer, subject, validity, random)
    },
  }
}

/** It begins a little before now, and not before its authority; its months count from now. */
function clientValidity(clock: Clock, authority: Authority, months: number) {
  const now = clock.nowMs()
  if (now >= authority.notAfter) {
    throw new Fault('vendor_failed', "The connector's certificate authority has expired.")
  }
  const wanted = addMonths(Math.floor(now / msPerSecond) * msPerSecond, months)
  return {
    notBefore: Math.max(startMs(clock), authority.notBefore),
    notAfter: Math.min(wanted, authority.notAfter),
  }
}

function startMs(clock: Clock): number {
  const start = clock.nowMs() - provisioningLimits.certificateBackdateMs
  return Math.floor(start / msPerSecond) * msPerSecond
}

function sealContext(connectorId: string): string {
  return `authority/${connectorId}`
}

export function alreadyThere(): Fault {
  return new Fault('already_exists', 'The connector already has a certificate authority.')
}

export function shown({ certificate }: AuthorityRow): Authority {
  const { validFromDate, validToDate } = new X509Certificate(certificate)
  return {
    certificatePem: certificate,
    notBefore: validFromDate.getTime(),
    notAfter: validToDate.getTime(),
  }
}
