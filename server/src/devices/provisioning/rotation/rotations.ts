import type { Transaction } from '../../../foundation/database/index.ts'
import {
  Fault,
  invalidField,
  type Logger,
  limits,
  type Passwords,
  PollLoop,
} from '../../../foundation/kernel/index.ts'
import type { Changes } from '../../../log/changes/index.ts'
import type { RotationStep } from '../../../log/eventlog/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { ConnectionInfo, Device } from '../device.ts'
import { unknownIdentity } from '../identities/records.ts'
import { provisioningLimits } from '../limits.ts'
import { keepCertificate } from '../store/certificates.ts'
import {
  deleteRotation,
  lockRotation,
  openRotation,
  type RotationRow,
  readRotation,
  setNextCredential,
} from '../store/rotations.ts'
import { renew } from './fetch.ts'
import {
  makeOperatorCredential,
  type OperatorCredential,
  type OperatorCredentialOptions,
  parseRotation,
  refuseMethod,
} from './operator-credential.ts'
import type { OpenedRotation, Rotation, RotationInput } from './schema.ts'
import { cacheInvalidation, isOpen, makeEntry, type RotationOptions } from './step.ts'
import { settle, sweepRotations } from './sweep.ts'

/** The interval at which expired rotations are recorded. */
const rotationSweepMs = 1_000

/** Rotations of credentials; see step.ts. Operations with a business @throw Fault `not_found`. */
export type Rotations = {
  /**
   * Opens a rotation, or gives an open one another time; with the new credential or without.
   * @throws Fault `invalid_argument`, `unknown_identity`, `not_provisioned`, `already_exists` where
   *   there is a new credential already, and what a signing throws.
   */
  open(
    businessId: string,
    connectorId: string,
    identity: string,
    input?: RotationInput,
  ): Promise<OpenedRotation>
  /** @throws Fault `unknown_identity`; `not_found` where none is open. */
  get(businessId: string, connectorId: string, identity: string): Promise<Rotation>
  /** The new credential is refused from now on. @throws as `get`. */
  cancel(businessId: string, connectorId: string, identity: string): Promise<void>
  /** For an authenticated device; see fetch.ts. */
  renew(
    device: Device,
    connection: ConnectionInfo,
    password: string | undefined,
  ): Promise<{ token: string } | undefined>
  /** Sweeps every `rotationSweepMs` from now on; to be called once. */
  startPolling(): void
  close(): Promise<void>
}

export type RotationsOptions = RotationOptions &
  OperatorCredentialOptions & {
    readonly passwords: Passwords
    readonly changes: Changes
    readonly logger: Logger
  }

export function createRotations(options: RotationsOptions, connectors: Connectors): Rotations {
  const loop = new PollLoop({
    async look() {
      while ((await sweepRotations(options, connectors)) === provisioningLimits.rotationSweepMax);
    },
    failed: (error) => options.logger.warn({ err: error }, 'ending rotations failed; retrying'),
    pollMs: rotationSweepMs,
  })
  const { changes } = options
  return {
    open: changes.publishing('devices', async (businessId, connectorId, identity, input = {}) => {
      const connector = await connectors.get(businessId, connectorId)
      return open(options, connector, identity, input)
    }),
    async get(businessId, connectorId, identity) {
      const { id } = await connectors.get(businessId, connectorId)
      return toRotation(await readRotation(options.database, id, identity))
    },
    cancel: changes.publishing('devices', async (businessId, connectorId, identity) => {
      await cancel(options, await connectors.get(businessId, connectorId), identity)
    }),
    renew: (device, connection, password) => renew(options, device, connection, password),
    startPolling: () => loop.startLater(),
    close: () => loop.stop(),
  }
}

/** @throws Fault what `open` throws; `overloaded` where it changed meanwhile. */
async function open(
  options: RotationsOptions,
  connector: Connector,
  identity: string,
  input: RotationInput,
): Promise<OpenedRotation> {
  const { hours, given } = parseRotation(input)
  await settle(options, connector, identity)
  const before = await readRotation(options.database, connector.id, identity)
  refuseState(before)
  if (given !== undefined) refuseGiven(before, given.type)
  const made = given && (await makeOperatorCredential(options, connector, identity, before, given))
  const nowUs = options.clock.nowUs()
  const until = nowUs + hours * usPerHour
  const written = await options.database.transaction(async (transaction) => {
    const row = await lockRotation(transaction, connector.id, identity)
    refuseState(row)
    if (row.current !== before.current) {
      throw new Fault('overloaded', 'its credential was replaced meanwhile', {
        retryAfterS: limits.retryAfterS,
      })
    }
    if (made !== undefined) refuseSecond(row)
    else refuseNothing(row)
    // A rest of a rotation of another credential than this one is removed.
    if (!isOpen(row)) await deleteRotation(transaction, connector.id, identity)
    await openRotation(transaction, connector.id, identity, { nowUs, until })
    if (made !== undefined) await storeMade(transaction, connector.id, identity, made)
    const subject = { connector, identity }
    const entries = listSteps(row, made).map((step) => makeEntry(subject, nowUs, step))
    await options.eventlog.appendIn(transaction, entries)
    return options.revocations.writeIn(transaction, connector.id, [
      cacheInvalidation(identity, row),
    ])
  })
  options.revocations.publish(written)
  const now = await readRotation(options.database, connector.id, identity)
  return { ...toRotation(now), ...made?.shown }
}

async function storeMade(
  transaction: Transaction,
  connectorId: string,
  identity: string,
  { next, kept }: OperatorCredential,
): Promise<void> {
  await setNextCredential(transaction, connectorId, identity, next)
  if (kept !== undefined) await keepCertificate(transaction, connectorId, identity, kept)
}

async function cancel(
  options: RotationsOptions,
  connector: Connector,
  identity: string,
): Promise<void> {
  await settle(options, connector, identity)
  const written = await options.database.transaction(async (transaction) => {
    const row = await lockRotation(transaction, connector.id, identity)
    toRotation(row)
    await deleteRotation(transaction, connector.id, identity)
    const entry = makeEntry({ connector, identity }, options.clock.nowUs(), 'cancelled')
    await options.eventlog.appendIn(transaction, [entry])
    return (
      row &&
      options.revocations.writeIn(transaction, connector.id, [cacheInvalidation(identity, row)])
    )
  })
  options.revocations.publish(written)
}

const usPerHour = 3_600_000_000

/** @throws Fault `unknown_identity`, `not_found` where no rotation is open. */
function toRotation(row: RotationRow | undefined): Rotation {
  if (row === undefined) throw unknownIdentity()
  const { auth_type: type, opened_at: opened, until, next, fetched_at: fetched } = row
  if (until === null || opened === null) {
    throw new Fault('not_found', 'no rotation of its credential is open')
  }
  return { type, opened, until, given: next !== null, fetched }
}

function refuseState(row: RotationRow | undefined): asserts row is RotationRow {
  if (row === undefined) throw unknownIdentity()
  if (row.awaits || row.current === null) throw new Fault('not_provisioned')
}

function refuseGiven(row: RotationRow, type: Parameters<typeof refuseMethod>[1]): void {
  refuseMethod(row, type)
  refuseSecond(row)
}

/** A rotation has one new credential at a time: of two operators one gives it. */
function refuseSecond({ next }: RotationRow): void {
  if (next === null) return
  const sentence = 'there is a new credential already; cancel the rotation to give another one'
  throw new Fault('already_exists', sentence)
}

/** A device can fetch a token and bring a password, and no certificate. */
function refuseNothing({ auth_type: type, next }: RotationRow): void {
  if (type !== 'certificate' || next !== null) return
  throw invalidField('auth', 'is needed for a certificate: type certificate or csr, with its key')
}

function listSteps(row: RotationRow, made: OperatorCredential | undefined): RotationStep[] {
  return [...(isOpen(row) ? [] : (['opened'] as const)), ...(made ? (['given'] as const) : [])]
}
