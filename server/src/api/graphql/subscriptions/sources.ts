import { deviceId } from '../../../devices/provisioning/index.ts'
import { Fault, limits } from '../../../foundation/kernel/index.ts'
import type { AssetStatus, PlacedLine, StatusEvent } from '../../../insight/assets/index.ts'
import type { Context } from '../context.ts'
import { graphqlLimits } from '../limits.ts'
import type { DeviceRow } from '../resolver.ts'
import { BoundedQueue, poll } from './poll.ts'

/** Rows that one look of a subscription reads, and lines that wait for a slow reader. */
const graphqlSubscriptionReadMax = 1_000
/** Devices of one subscription. */
const graphqlSubscriptionDevicesMax = 100
/** Events that are read again, because one of a lower number may be committed later. */
const graphqlSubscriptionRereadEvents = 100

type Ids = readonly string[]

/**
 * The events of each field of `Subscription`, until the context's `ending` is aborted, or something
 * that was asked for does not exist or is not seen. Access is checked by the stores, with the view
 * of the caller, at every read.
 */
export type Sources = Readonly<
  Record<string, (row: never, args: never, context: Context) => AsyncGenerator<object>>
>

export const sources = {
  async *values(
    _: unknown,
    { signalIds, after }: { signalIds: Ids; after?: number | null },
    { assets, principal: { view }, ending }: Context,
  ): AsyncGenerator<{ values: object }> {
    requireSome('signalIds', signalIds, limits.pageMax)
    const { following } = assets
    const newest = await following.newestValues(view, signalIds)
    const positions = new Map(newest)
    if (after != null) for (const id of signalIds) positions.set(id, after)
    const read = () => following.values(view, positions, graphqlSubscriptionReadMax)
    const check = () => following.requireSignals(view, signalIds)
    for await (const reading of poll(ending, read, check)) {
      positions.set(reading.signalId, reading.ts)
      const { signalId, ts: timestamp, value } = reading
      yield { values: { signalId, timestamp, value } }
    }
  },

  async *statuses(
    _: unknown,
    { assetIds }: { assetIds: Ids },
    { assets, principal: { view }, ending }: Context,
  ): AsyncGenerator<{ statuses: { assetId: string; status: AssetStatus } }> {
    requireSome('assetIds', assetIds, limits.pageMax)
    const changed = changes<AssetStatus>()
    const read = async () => changed(await assets.statuses(view, assetIds))
    const check = () => assets.following.requireAssets(view, assetIds)
    for await (const [assetId, status] of poll(ending, read, check)) {
      yield { statuses: { assetId, status } }
    }
  },

  async *events(
    _: unknown,
    { assetIds, after }: { assetIds: Ids; after?: string | null },
    { assets, principal: { view }, ending }: Context,
  ): AsyncGenerator<{ events: StatusEvent }> {
    requireSome('assetIds', assetIds, limits.pageMax)
    const { following } = assets
    const first = after == null ? await following.newestEvent(view, assetIds) : parseNumber(after)
    const reread = new Reread(first)
    const read = async () => {
      const limit = graphqlSubscriptionReadMax
      return reread.fresh(await following.events(view, assetIds, { number: reread.from, limit }))
    }
    const check = () => following.requireAssets(view, assetIds)
    for await (const event of poll(ending, read, check)) yield { events: event }
  },

  async *devices(
    _: unknown,
    { connectorId, identities }: { connectorId: string; identities: Ids },
    { provisioning, businessId, principal: { view }, ending }: Context,
  ): AsyncGenerator<{ devices: DeviceRow }> {
    requireSome('identities', identities, graphqlSubscriptionDevicesMax)
    await provisioning.connectors.get(businessId, connectorId)
    const changed = changes<DeviceRow>()
    const names = [...new Set(identities)].map((identity) => ({ connectorId, identity }))
    const read = async () => {
      const found = await provisioning.devices.some(view, names)
      if (found.length < names.length) throw noDevice()
      const states = await provisioning.devices.states(view, names)
      const records = found.map((one) => ({ ...one, state: states.get(deviceId(one)) ?? {} }))
      return changed(new Map(records.map((record) => [record.identity, record])))
    }
    for await (const [, record] of poll(ending, read)) yield { devices: record }
  },

  async *logLines(
    _: unknown,
    { assetId, after }: { assetId: string; after?: string | null },
    { assets, principal: { view }, ending }: Context,
  ): AsyncGenerator<{ logLines: object }> {
    const { following } = assets
    const queue = new BoundedQueue<PlacedLine>(graphqlSubscriptionReadMax)
    const stop = await following.lines(view, assetId, after ?? undefined, (lines) =>
      queue.add(lines),
    )
    try {
      while (!ending.aborted) {
        const lines = await queue.take(ending, graphqlLimits.graphqlSubscriptionCheckMs)
        for (const { at: timestamp, ...line } of lines) yield { logLines: { timestamp, ...line } }
        if (lines.length === 0) await following.requireAssets(view, [assetId])
      }
    } finally {
      stop()
    }
  },
}

function noDevice(): Fault {
  return new Fault('unknown_identity', 'the connector has no such identity')
}

function requireSome(name: string, ids: Ids, max: number): void {
  if (ids.length > 0 && ids.length <= max) return
  throw new Fault('invalid_argument', `${name} has 1 to ${max} entries.`)
}

/** @throws Fault invalid_argument */
function parseNumber(id: string): number {
  if (/^\d{1,15}$/.test(id)) return Number(id)
  throw new Fault('invalid_argument', 'after must be the id of an event.')
}

/** Returns the entries that differ from what they were at the last call. */
function changes<Value>() {
  const known = new Map<string, string>()
  return (now: ReadonlyMap<string, Value>): [string, Value][] =>
    [...now].filter(([key, value]) => {
      const text = JSON.stringify(value)
      if (known.get(key) === text) return false
      known.set(key, text)
      return true
    })
}

/**
 * Events become visible in the order of their commits, not of their numbers: each read goes back
 * by some, and leaves out those that were delivered.
 */
class Reread {
  readonly #first: number
  readonly #delivered = new Set<number>()
  #highest: number

  constructor(first: number) {
    this.#first = first
    this.#highest = first
  }

  /** Read the events after this number. */
  get from(): number {
    return Math.max(this.#first, this.#highest - graphqlSubscriptionRereadEvents)
  }

  fresh(events: readonly StatusEvent[]): StatusEvent[] {
    const fresh = events.filter(({ id }) => !this.#delivered.has(Number(id)))
    for (const { id } of fresh) {
      this.#delivered.add(Number(id))
      this.#highest = Math.max(this.#highest, Number(id))
    }
    for (const number of this.#delivered) if (number <= this.from) this.#delivered.delete(number)
    return fresh
  }
}
