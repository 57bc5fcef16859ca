import { Fault, type Rate, RateLimiter } from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import { connectorFull } from '../connectors/population.ts'
import type { ProvisioningOptions } from '../options.ts'
import { readUnregistered } from '../store/population.ts'
import { type Activation, deviceKey, registers } from './activation.ts'
import { rateKey } from './source.ts'

/**
 * Addresses, of each connector, whose self-registrations are counted in a process; past it the
 * address whose minute began first is dropped.
 */
const registrationAddressesMax = 100_000

/** A device that may register itself. */
type Registration = Pick<Activation, 'connector' | 'identity'> & {
  readonly connection: Pick<Activation['connection'], 'ip'>
}

/** The results of self-registrations, by `deviceKey`: allowed, or refused. */
export type RegistrationResults = ReadonlyMap<string, 'registers' | Fault>

/**
 * Self-registrations of devices that no operator whitelisted: refused if the connector is full, or
 * if too many come from one address.
 */
export type Registrations = {
  /** Authorizes the self-registrations of a batch; each counts once, however often it is tried. */
  authorize(batch: readonly Activation[]): Promise<RegistrationResults>
  /** Returns the refusal that a self-registration would get now; nothing is counted. */
  preview(asking: Registration): Promise<Fault | undefined>
}

const minuteMs = 60_000
const msPerSecond = 1_000

export function createRegistrations({
  database,
  clock,
}: Pick<ProvisioningOptions, 'database' | 'clock'>): Registrations {
  const limiter = new RateLimiter(clock, registrationAddressesMax)

  /** Returns, by key, if there is room for each unregistered one. */
  async function unregisteredAmong(asking: readonly Registration[]): Promise<Map<string, boolean>> {
    const names = asking
      .filter(({ connector, identity }) => registers(connector, identity))
      .map(({ connector, identity }) => ({ connectorId: connector.id, identity }))
    if (names.length === 0) return new Map()
    const rows = await readUnregistered(database, names)
    return new Map(rows.map((row) => [`${row.connectorId}/${row.identity}`, row.room]))
  }

  function findRefusal(
    asking: Registration,
    room: boolean,
    count: 'take' | 'peek',
  ): Fault | undefined {
    const { connector, connection } = asking
    if (!room) return connectorFull(connector)
    const leftMs = limiter[count](`${connector.id}/${rateKey(connection.ip)}`, toRate(connector))
    return leftMs === 0 ? undefined : tooMany(asking, leftMs)
  }

  return {
    async authorize(batch) {
      const unregistered = await unregisteredAmong(batch)
      const results = new Map<string, 'registers' | Fault>()
      for (const one of batch) {
        const key = deviceKey(one)
        const room = unregistered.get(key)
        if (room === undefined || results.has(key)) continue
        const fault = room && one.isCounted ? undefined : findRefusal(one, room, 'take')
        if (fault === undefined) one.isCounted = true
        results.set(key, fault ?? 'registers')
      }
      return results
    },
    async preview(asking) {
      const room = (await unregisteredAmong([asking])).get(deviceKey(asking))
      return room === undefined ? undefined : findRefusal(asking, room, 'peek')
    },
  }
}

function toRate({ registrationsPerMinute }: Connector): Rate {
  return { count: registrationsPerMinute, windowMs: minuteMs }
}

function tooMany({ connector, connection }: Registration, leftMs: number): Fault {
  const { registrationsPerMinute: most } = connector
  const noun = most === 1 ? 'self-registration' : 'self-registrations'
  const from = connection.ip || 'an unknown address'
  return new Fault(
    'too_many_requests',
    `The connector takes ${most} ${noun} a minute from ${from}; an unknown device was rejected.`,
    { retryAfterS: Math.ceil(leftMs / msPerSecond) },
  )
}
