import type { Transaction } from '../../../foundation/database/index.ts'
import { Fault, invalidField, limits } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import { parseGivenCertificate, readGivenCertificate } from '../certificates/given-certificate.ts'
import type { Connector } from '../connectors/connector.ts'
import { countIn } from '../connectors/population.ts'
import type { AuthType } from '../credentials/auth-type.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { ProvisioningOptions } from '../options.ts'
import { refuseOrder, storeOrder } from '../rotation/reprovision.ts'
import { type KeptCertificate, keepCertificate } from '../store/certificates.ts'
import { changeDevices, isDeviceSeen } from '../store/devices.ts'
import { readCredentials } from '../store/identities.ts'
import type { Revocation } from '../store/revocations.ts'
import { upsertIdentities, type WhitelistedRow } from '../store/whitelist.ts'
import { checkIdentity } from './identity-format.ts'
import { parseWhitelist, type WhitelistPart } from './identity-input.ts'
import { unknownIdentity } from './records.ts'
import type { WhitelistInput } from './schemas.ts'

const usPerHour = 3_600_000_000

type WhitelistOptions = {
  /** The certificate that alone provisions it from now on. */
  readonly signed?: KeptCertificate
  /** Refused where the identity is there already, or is not there yet. */
  readonly only?: 'new' | 'known'
  /**
   * The view of whoever does it; without one the business. A new device of one who sees a part lies
   * in it.
   */
  readonly view?: View
  /** Runs in the same transaction, after the identity was written. */
  readonly afterwards?: (transaction: Transaction, nowUs: number) => Promise<void>
}

/**
 * Lets an identity in, or changes what is said of one that is there; its credential and its values
 * stay. A lock, an order to activate again and a replaced certificate end the connections of the
 * device: in this process when this resolves, in others after `revocationPollMs`.
 * @throws Fault `invalid_argument`, naming the rule of the format that the identity breaks;
 *   `already_exists`, `unknown_identity` where `only` says so; `connector_full`.
 */
export async function whitelist(
  options: ProvisioningOptions,
  credentials: Credentials,
  connector: Connector,
  identity: string,
  input: WhitelistInput,
  { signed, only, view, afterwards }: WhitelistOptions = {},
): Promise<void> {
  const { database, clock } = options
  const { tags, authType, certificate, ...part } = refuseWhitelisting(connector, identity, input)
  const given =
    certificate === undefined
      ? signed
      : await readGiven(database, connector, identity, certificate, clock.nowMs())
  if (authType !== undefined && given === undefined) {
    await requireAuthType(database, connector, identity, authType)
  }
  const nowUs = clock.nowUs()
  const said = {
    ...part,
    identities: [identity],
    tags: tags && [tags],
    certificates: given && [given.fingerprint],
    defaultUntil: defaultUntil(nowUs),
  }
  const { revocations } = credentials
  const { row, written } = await database.transaction(async (transaction) => {
    const rows = await upsertIdentities(transaction, connector.id, nowUs, said)
    const isAdded = rows[0]?.added === true
    refuseOthers(only, isAdded)
    if (view !== undefined) await place(options, transaction, view, connector, identity, isAdded)
    if (isAdded) await countIn(transaction, connector, 1, options.quotas)
    if (given !== undefined) await keepCertificate(transaction, connector.id, identity, given)
    await storeOrder(transaction, connector, [identity], part)
    await afterwards?.(transaction, nowUs)
    const withdrawals = listRevocations(rows, part)
    return {
      row: rows[0],
      written: await revocations.writeIn(transaction, connector.id, withdrawals),
    }
  })
  credentials.forget({ connectorId: connector.id, identity, credential: row?.credential ?? null })
  revocations.publish(written)
}

/**
 * The certificate that an operator gives; one that the identity has already is not judged anew, so
 * that what was read can be written back.
 * @throws Fault `invalid_argument`.
 */
async function readGiven(
  database: ProvisioningOptions['database'],
  connector: Connector,
  identity: string,
  pem: unknown,
  nowMs: number,
): Promise<KeptCertificate> {
  const read = readGivenCertificate(pem)
  const [known] = await readCredentials(database, [{ connectorId: connector.id, identity }])
  if (known?.certificate_given === read.fingerprint) return read
  return parseGivenCertificate(connector, identity, pem, nowMs)
}

/** Refused inside the transaction, so that of two requests that add one of them fails. */
function refuseOthers(only: WhitelistOptions['only'], added: boolean): void {
  if (only === 'known' && added) throw unknownIdentity()
  if (only === 'new' && !added) {
    throw new Fault('already_exists', 'the connector has the identity already')
  }
}

/** @throws Fault `already_exists` for one of a group that is not seen. */
async function place(
  { groups }: ProvisioningOptions,
  transaction: Transaction,
  view: View,
  { id: connectorId }: Connector,
  identity: string,
  isAdded: boolean,
): Promise<void> {
  const seen = await groups.widened(view)
  if (seen.groups === 'all') return
  const name = { connectorId, identity }
  if (isAdded) {
    const { id: groupId } = await groups.hold(transaction, seen, null)
    await changeDevices(transaction, [name], { groupId })
  } else if (!(await isDeviceSeen(transaction, seen, name))) {
    throw new Fault('already_exists', 'the connector has the identity already')
  }
}

/** The written ones that other processes must be notified of; see revocations.ts. */
export function listRevocations(
  rows: readonly WhitelistedRow[],
  { locked, reprovision }: Partial<Pick<WhitelistPart, 'locked' | 'reprovision'>>,
): Revocation[] {
  return rows.flatMap(({ identity, added, replaced, credential }) => {
    if (added || (locked === undefined && reprovision === undefined && !replaced)) return []
    return [{ identity, credential, code: chooseCode(locked, reprovision, replaced) }]
  })
}

/** In the order in which a next request would be refused. */
function chooseCode(
  locked: boolean | undefined,
  reprovision: boolean | undefined,
  replaced: boolean,
): Revocation['code'] {
  if (reprovision === true) return 'unknown_credential'
  if (replaced) return 'certificate_mismatch'
  return locked === true ? 'locked' : null
}

/**
 * Refuses a wrong whitelisting before anything is written.
 * @throws Fault `invalid_argument`, `reprovision_refused`.
 */
export function refuseWhitelisting(
  connector: Connector,
  identity: string,
  input: WhitelistInput,
): WhitelistPart {
  const refusal = checkIdentity(connector.identityFormat, identity)
  if (refusal !== undefined) throw invalidField('identity', refusal)
  const part = parseWhitelist(input)
  refuseOrder(connector, part)
  return part
}

/**
 * The method of a device is settled when it is provisioned. Giving the present one changes nothing;
 * it lets a record that was read be written back.
 */
async function requireAuthType(
  database: ProvisioningOptions['database'],
  connector: Connector,
  identity: string,
  authType: AuthType,
): Promise<void> {
  const [known] = await readCredentials(database, [{ connectorId: connector.id, identity }])
  const given = known?.certificate_given ?? null
  const is = known?.auth_type ?? (given === null ? connector.authType : 'certificate')
  if (authType === is) return
  if (authType === 'certificate')
    throw invalidField('auth.key', 'is needed: the certificate as PEM')
  throw invalidField('auth.type', `can only be ${is} here`)
}

/** The time at which a window that opens now closes by default. */
export function defaultUntil(nowUs: number): number {
  return nowUs + limits.activationWindowHours * usPerHour
}
