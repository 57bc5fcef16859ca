import type { Transaction } from '../database/index.ts'
import type { Entry, ProvisionedBody, WriteBody } from '../eventlog/index.ts'
import { Fault, limits } from '../kernel/index.ts'
import type { Connector } from './connector.ts'
import { checkIdentity, refuseIdentity } from './identity-format.ts'
import { allowsAddress } from './ip-restriction.ts'
import type { ProvisioningOptions } from './needs.ts'
import { invalid } from './parse.ts'
import type { Presence } from './presence.ts'
import { unknownIdentity } from './records.ts'
import {
  type Credential,
  provisionIdentity,
  readIdentity,
  registerIdentity,
} from './store/identities.ts'
import { findAliases } from './store/values.ts'

/** Where a request to be provisioned comes from. */
export type Origin = {
  readonly ip: string
  /** As the log shows it: `http`, `https`, `mqtt`, … */
  readonly protocol: string
  readonly encrypted: boolean
}

/** What a device brings: without `plain`, which is the connection's. */
export type NewCredential = Omit<Credential, 'plain'>

/**
 * The settings that hold for every method.
 * @throws Fault `plain_connection`, `forbidden`, `address_not_allowed`.
 */
export function refuseOrigin(connector: Connector, origin: Origin): void {
  if (!origin.encrypted && !connector.devmode) throw new Fault('plain_connection')
  if (!connector.enabled) throw new Fault('forbidden', 'the connector activates no devices now')
  if (!allowsAddress(connector.ipRestriction, origin.ip)) {
    const from = origin.ip || 'an unknown address'
    throw new Fault('address_not_allowed', `The connector provisions no devices from ${from}.`)
  }
}

/** @throws Fault `invalid_argument` for what can be no identity. */
export function refuseName(identity: string): void {
  const refusal = refuseIdentity(identity)
  if (refusal !== undefined) throw invalid('identity', refusal)
}

/**
 * Makes an identity `provisioned` with a credential, once. The credential, its initial values and
 * the entry in the log are committed together; of many at once exactly one succeeds.
 * @throws Fault `invalid_argument`, `unknown_identity`, `window_closed`, `already_activated`,
 *   `locked`, `wrong_method`, `overloaded`.
 */
export async function provision(
  { database, eventlog, clock }: ProvisioningOptions,
  presence: Presence,
  connector: Connector,
  identity: string,
  origin: Origin,
  brought: NewCredential,
): Promise<void> {
  const nowUs = clock.nowUs()
  const credential = { ...brought, plain: !origin.encrypted }
  await database.transaction(async (transaction) => {
    const taken = await take(transaction, connector, identity, nowUs, credential)
    if (!taken) {
      throw (
        (await explain(transaction, connector, identity, nowUs, brought)) ??
        // An operator opened it in between: the device's next try succeeds.
        new Fault('overloaded', undefined, { retryAfterS: limits.retryAfterS })
      )
    }
    await eventlog.appendIn(transaction, [provisioned(connector, identity, nowUs, origin)])
    // Only now, with the device's partition held, can no other value of it slip in between.
    await eventlog.appendIn(transaction, await initial(transaction, connector, identity, nowUs))
  })
  presence.seen(connector.id, identity, origin.ip)
}

/** The refusal that a device would get now; undefined where it would be provisioned. */
export async function foresee(
  { database, clock }: ProvisioningOptions,
  connector: Connector,
  identity: string,
): Promise<Fault | undefined> {
  return explain(database, connector, identity, clock.nowUs(), { certificate: null })
}

/**
 * A stranger may come in where the connector lets devices register themselves and the identity
 * conforms; one that was whitelisted was measured then.
 */
function take(
  transaction: Transaction,
  connector: Connector,
  identity: string,
  nowUs: number,
  credential: Credential,
): Promise<boolean> {
  const conforms = checkIdentity(connector.identityFormat, identity) === undefined
  const step = connector.selfRegistration && conforms ? registerIdentity : provisionIdentity
  return step(transaction, connector.id, identity, nowUs, credential)
}

/** Why the guarded step finds nothing to change; undefined where it should find something. */
async function explain(
  database: Pick<Transaction, 'one' | 'rows' | 'run'>,
  connector: Connector,
  identity: string,
  nowUs: number,
  { certificate }: Pick<Credential, 'certificate'>,
): Promise<Fault | undefined> {
  const row = await readIdentity(database, connector.id, identity, nowUs)
  switch (row?.status) {
    case undefined:
      return explainStranger(connector, identity)
    case 'locked':
      return new Fault('locked')
    case 'expired':
      return new Fault('window_closed')
    case 'provisioned':
    case 'devmode':
      return new Fault('already_activated')
    case 'whitelisted':
    case 'reprovision':
      return row.certificate_given === null || row.certificate_given === certificate
        ? undefined
        : new Fault('wrong_method', 'The identity is provisioned by the certificate it was given.')
  }
}

function explainStranger(connector: Connector, identity: string): Fault | undefined {
  if (!connector.selfRegistration) return unknownIdentity()
  const refusal = checkIdentity(connector.identityFormat, identity)
  return refusal === undefined ? undefined : invalid('identity', refusal)
}

function provisioned(
  { id: connectorId, businessId }: Connector,
  identity: string,
  at: number,
  { ip, protocol }: Origin,
): Entry {
  const body: ProvisionedBody = { ip, protocol }
  const text = JSON.stringify(body)
  return { businessId, connectorId, identity, kind: 'provisioned', at, body: text }
}

/** What a new device starts with, said like any value that is set; what it has already stays. */
async function initial(
  transaction: Transaction,
  { id: connectorId, businessId, resources }: Connector,
  identity: string,
  at: number,
): Promise<Entry[]> {
  const wanted = [...resources.values()].filter((resource) => resource.initial !== undefined)
  if (wanted.length === 0) return []
  const aliases = wanted.map(({ alias }) => alias)
  const taken = new Set(await findAliases(transaction, connectorId, identity, aliases))
  const values = Object.fromEntries(
    wanted.flatMap((resource) =>
      taken.has(resource.alias) ? [] : [[resource.alias, resource.initial ?? '']],
    ),
  )
  if (Object.keys(values).length === 0) return []
  const body: WriteBody = { ip: '', protocol: 'initial', payload: [{ timestamp: at, values }] }
  return [{ businessId, connectorId, identity, kind: 'set', at, body: JSON.stringify(body) }]
}
