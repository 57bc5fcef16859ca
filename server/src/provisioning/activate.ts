import type { Transaction } from '../database/index.ts'
import type { Entry, ProvisionedBody, WriteBody } from '../eventlog/index.ts'
import { Fault, hashToken, limits, newToken } from '../kernel/index.ts'
import type { Connector } from './connector.ts'
import { checkIdentity, refuseIdentity } from './identity-format.ts'
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

/** Where an activation comes from. */
export type Origin = {
  readonly ip: string
  /** As the log shows it: `http`, `https`, `mqtt`, … */
  readonly protocol: string
  readonly encrypted: boolean
}

/**
 * Gives a device its credential, once. The credential, its initial values and the entry in the log
 * are committed together; of many at once exactly one succeeds.
 * @returns the token, which is nowhere else: only its hash is kept.
 * @throws Fault `invalid_argument`, `unknown_identity`, `window_closed`, `already_activated`,
 *   `locked`, `wrong_method`, `plain_connection`, `forbidden` (the connector is switched off).
 */
export async function activate(
  options: ProvisioningOptions,
  presence: Presence,
  connector: Connector,
  identity: string,
  origin: Origin,
): Promise<{ token: string }> {
  const { database, eventlog, clock, random } = options
  refuseConnection(connector, origin)
  refuseName(identity)
  const token = newToken(random)
  const nowUs = clock.nowUs()
  const credential: Credential = {
    authType: 'token',
    tokenHash: hashToken(token),
    plain: !origin.encrypted,
  }
  await database.transaction(async (transaction) => {
    const taken = await provision(transaction, connector, identity, nowUs, credential)
    if (!taken) throw await explain(transaction, connector, identity, nowUs)
    await eventlog.appendIn(transaction, [provisioned(connector, identity, nowUs, origin)])
    // Only now, with the device's partition held, can no other value of it slip in between.
    await eventlog.appendIn(transaction, await initial(transaction, connector, identity, nowUs))
  })
  presence.seen(connector.id, identity, origin.ip)
  return { token }
}

function refuseConnection(connector: Connector, origin: Origin): void {
  if (connector.authType !== 'token') throw new Fault('wrong_method')
  if (!origin.encrypted && !connector.devmode) throw new Fault('plain_connection')
  if (!connector.enabled) throw new Fault('forbidden', 'the connector activates no devices now')
}

function refuseName(identity: string): void {
  const refusal = refuseIdentity(identity)
  if (refusal !== undefined) throw invalid('identity', refusal)
}

/**
 * A stranger may come in where the connector lets devices register themselves and the identity
 * conforms; one that was whitelisted was measured then.
 */
function provision(
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

/** Why the guarded step found nothing to change. */
async function explain(
  transaction: Transaction,
  connector: Connector,
  identity: string,
  nowUs: number,
): Promise<Fault> {
  const row = await readIdentity(transaction, connector.id, identity, nowUs)
  switch (row?.status) {
    case undefined:
      return unknown(connector, identity)
    case 'locked':
      return new Fault('locked')
    case 'expired':
      return new Fault('window_closed')
    case 'provisioned':
    case 'devmode':
      return new Fault('already_activated')
    case 'whitelisted':
    case 'reprovision':
      // An operator opened it in between: the device's next try succeeds.
      return new Fault('overloaded', undefined, { retryAfterS: limits.retryAfterS })
  }
}

function unknown(connector: Connector, identity: string): Fault {
  const refusal = checkIdentity(connector.identityFormat, identity)
  if (!connector.selfRegistration || refusal === undefined) return unknownIdentity()
  return invalid('identity', refusal)
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
