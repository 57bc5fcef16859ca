import { Fault, limits, type Rate, RateLimiter } from '../../kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import { connectorFull } from '../connectors/population.ts'
import type { ProvisioningOptions } from '../options.ts'
import { readUnregistered } from '../store/population.ts'
import { type Activation, keyOf, registers } from './activation.ts'
import { rateKeyOf } from './source.ts'

/** Who asks, and from where. */
type Registration = Pick<Activation, 'connector' | 'identity'> & {
  readonly connection: Pick<Activation['connection'], 'ip'>
}

/** What becomes of a stranger that may register itself: it may now, or is refused. */
export type RegistrationResults = ReadonlyMap<string, 'registers' | Fault>

/**
 * Strangers who register themselves, held back where there is no room for them, or where too many
 * come from one address. Who was let in by an operator is none.
 */
export type Registrations = {
  /** Strangers among those who ask, by `keyOf`; each counts once, however often it is asked. */
  authorize(batch: readonly Activation[]): Promise<RegistrationResults>
  /** The refusal that a stranger would get now; nothing is counted. */
  preview(asking: Registration): Promise<Fault | undefined>
}

const minuteMs = 60_000
const msPerSecond = 1_000

export function createRegistrations({
  database,
  clock,
}: Pick<ProvisioningOptions, 'database' | 'clock'>): Registrations {
  const limiter = new RateLimiter(clock, limits.registrationAddressesMax)
  const counted = new WeakSet<Activation>()

  /** Whether there is room, by key, of those that are strangers. */
  async function unregisteredAmong(asking: readonly Registration[]): Promise<Map<string, boolean>> {
    const names = asking
      .filter(({ connector, identity }) => registers(connector, identity))
      .map(({ connector, identity }) => ({ connectorId: connector.id, identity }))
    if (names.length === 0) return new Map()
    const rows = await readUnregistered(database, names)
    return new Map(rows.map((row) => [`${row.connectorId}/${row.identity}`, row.room]))
  }

  function refusalOf(
    asking: Registration,
    room: boolean,
    count: 'take' | 'peek',
  ): Fault | undefined {
    const { connector, connection } = asking
    if (!room) return connectorFull(connector)
    const leftMs = limiter[count](`${connector.id}/${rateKeyOf(connection.ip)}`, rateOf(connector))
    return leftMs === 0 ? undefined : tooMany(asking, leftMs)
  }

  return {
    async authorize(batch) {
      const strangers = await unregisteredAmong(batch)
      const admitted = new Map<string, 'registers' | Fault>()
      for (const one of batch) {
        const key = keyOf(one)
        const room = strangers.get(key)
        if (room === undefined || admitted.has(key)) continue
        const fault = room && counted.has(one) ? undefined : refusalOf(one, room, 'take')
        if (fault === undefined) counted.add(one)
        admitted.set(key, fault ?? 'registers')
      }
      return admitted
    },
    async preview(asking) {
      const room = (await unregisteredAmong([asking])).get(keyOf(asking))
      return room === undefined ? undefined : refusalOf(asking, room, 'peek')
    },
  }
}

function rateOf({ registrationsPerMinute }: Connector): Rate {
  return { count: registrationsPerMinute, windowMs: minuteMs }
}

function tooMany({ connector, connection }: Registration, leftMs: number): Fault {
  const { registrationsPerMinute: most } = connector
  const noun = most === 1 ? 'self-registration' : 'self-registrations'
  const from = connection.ip || 'an unknown address'
  return new Fault(
    'too_many_requests',
    `The connector takes ${most} ${noun} a minute from ${from}; a stranger was sent away.`,
    { retryAfterS: Math.ceil(leftMs / msPerSecond) },
  )
}
