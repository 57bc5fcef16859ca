import { newId, type Random } from '../../../foundation/kernel/index.ts'
import {
  entryKinds,
  entryTrackingId,
  type LoggedEntry,
  type PresenceBody,
  type ProvisionedBody,
  type WriteBody,
} from '../../../log/eventlog/index.ts'
import type { SubscribedSolution, Subscriptions } from '../configurations/subscriptions.ts'
import { findHandling, type LoadedSolution } from '../registry/build.ts'
import type { Programs } from '../registry/programs.ts'
import type { HandlerCall } from '../runtime/engine.ts'
import type { ScriptValue } from '../runtime/value.ts'

/** A device's tags, as its event shows them. */
export type DeviceTag = { readonly name: string; readonly value: string }

/**
 * An entry of the log as programs in the field expect an event of a connector, or undefined where
 * it is none: the steps of a rotation are for operators. `connection_id` is empty where no
 * connection is the device's: what the cloud sets, what an operator does, a window that closed, and
 * its activation, which is before its first.
 */
export function connectorEvent(entry: LoggedEntry, tags: readonly DeviceTag[]): ScriptValue {
  // Events of signals have no device.
  if (entry.kind === 'values') return undefined
  const body: Partial<WriteBody & ProvisionedBody & PresenceBody> = entry.body
  if (body.rotation !== undefined) return undefined
  const { ip = '', protocol = '', connection = '', payload = [] } = body
  return {
    type: entryKinds[entry.kind].event,
    identity: entry.identity,
    ip,
    timestamp: entry.at,
    connection_id: connection,
    protocol,
    tags: tags.map(({ name, value }) => ({ name, value })),
    payload: payload.map(({ timestamp, values }) => ({ timestamp, values })),
  }
}

/** A connector's event for one solution that handles it. */
export type PlannedEvent = {
  readonly id: string
  readonly call: HandlerCall & { readonly trackingId: string }
  /** Its solution as it is at the start of the batch. */
  readonly loaded: LoadedSolution
  /** The partition of its entry. */
  readonly part: number
  /** The number of its entry, and its time in microseconds. */
  readonly seq: number
  readonly at: number
  /** Its device: events of one run one after the other. */
  readonly key: string
}

/** Tags of a connector's devices, by identity; what is not there has none. */
export type TagsOf = (
  connectorId: string,
  identities: readonly string[],
) => Promise<ReadonlyMap<string, readonly DeviceTag[]>>

/** Plans the events of solutions for the entries of a batch, in their order. */
export type EventPlanner = {
  /** @param only the solution whose events are wanted; left out: of all. */
  plan(entries: readonly LoggedEntry[], only?: SubscribedSolution): Promise<readonly PlannedEvent[]>
}

export type EventPlannerOptions = {
  readonly subscriptions: Subscriptions
  readonly programs: Pick<Programs, 'get'>
  readonly random: Random
  readonly tagsOf: TagsOf
}

const event = 'event'

type EventHandler = { readonly loaded: LoadedSolution; readonly alias: string }

export function createEventPlanner(options: EventPlannerOptions): EventPlanner {
  const { subscriptions, programs, random, tagsOf } = options

  /** Which solutions handle the connector's events, and under which alias. */
  async function findHandlings(
    connectorIds: ReadonlySet<string>,
    only: SubscribedSolution | undefined,
  ): Promise<Map<string, EventHandler[]>> {
    const found = new Map<string, EventHandler[]>()
    for (const [connectorId, subscribers] of await subscriptions.of(connectorIds)) {
      const handlings: EventHandler[] = []
      for (const { businessId, solutionId } of subscribers) {
        if (only !== undefined && solutionId !== only.solutionId) continue
        const loaded = await programs.get(businessId, solutionId)
        if (loaded === undefined) continue
        for (const alias of listAliases(loaded, connectorId)) handlings.push({ loaded, alias })
      }
      if (handlings.length > 0) found.set(connectorId, handlings)
    }
    return found
  }

  return {
    async plan(entries, only) {
      const connectorIds = new Set(entries.map(({ connectorId }) => connectorId))
      const handlings = await findHandlings(connectorIds, only)
      if (handlings.size === 0) return []
      const handled = entries.filter(({ connectorId }) => handlings.has(connectorId))
      const tags = await tagsOfEntries(tagsOf, handled)
      return handled.flatMap((entry) => {
        const { connectorId, identity, part, seq, at } = entry
        const key = `${connectorId}/${identity}`
        const argument = connectorEvent(entry, tags.get(key) ?? [])
        if (argument === undefined) return []
        return (handlings.get(connectorId) ?? []).map(({ loaded, alias }) => {
          const { businessId, solutionId } = loaded
          const trackingId = entryTrackingId(entry)
          const call = { businessId, solutionId, service: alias, event, argument, trackingId }
          return { id: newId(random), part, seq, at, key, call, loaded }
        })
      })
    },
  }
}

function listAliases(loaded: LoadedSolution, connectorId: string): string[] {
  return loaded.configurations
    .filter(({ service, alias }) => {
      const isHandled = () => findHandling(loaded, { service: alias, event }) !== undefined
      return service === connectorId && isHandled()
    })
    .map(({ alias }) => alias)
}

/** Reads the tags of the entries' devices, by `<connector>/<identity>`. */
export async function tagsOfEntries(
  tagsOf: TagsOf,
  entries: readonly LoggedEntry[],
): Promise<Map<string, readonly DeviceTag[]>> {
  const all = new Map<string, readonly DeviceTag[]>()
  for (const [connectorId, own] of Map.groupBy(entries, (entry) => entry.connectorId)) {
    const identities = [...new Set(own.map(({ identity }) => identity))]
    for (const [identity, tags] of await tagsOf(connectorId, identities)) {
      all.set(`${connectorId}/${identity}`, tags)
    }
  }
  return all
}
